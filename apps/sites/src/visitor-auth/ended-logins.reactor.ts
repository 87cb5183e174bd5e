import { installationReach, reachedSince } from '@scriptorium/access';
import { installationEventSchemas, installationsEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor, type StoreScope } from '@scriptorium/event-sourcing';
import { waitForProjections } from '@scriptorium/platform';
import { endLogin, publishingAuth } from './publishing-auth.js';
import { publishingAuths } from './publishing-auth.projection.js';
import { publishingEvents } from './publishing.events.js';

const ended = defineEvents(installationsEventSchemas).pick('IntegrationUninstalled');
const left = defineEvents(installationEventSchemas).pick('SiteInstallationRemoved', 'InstallationSelectionChanged');

/** An installation signs in the visitors of a site as long as it is installed there. */
export const endedLogins: readonly Reactor[] = [
  reactor({
    name: 'visitor_auth_of_ended_installations',
    entities: ['integrations.installations', 'integrations.installation'],
    events: [ended, left],
    react: async ({ type, position, entityId, data, meta }, store) => {
      const installation = 'installation' in data ? data.installation : entityId;
      await waitForProjections({ store }, { position, type }, [installationReach]);
      await waitForProjections({ store }, { position, type: 'SiteAuthBackendChanged' }, [publishingAuths]);
      const found = await store.read(publishingAuths).find({ 'integration.installation': installation }).toArray();
      for (const { _id: site } of found)
        await endUnlessThere(store.in(meta.organization ?? ''), { site, installation });
    },
  }),
  // What was chosen at the moment at which it ended.
  reactor({
    name: 'late_visitor_auth',
    entities: ['publishing'],
    events: [publishingEvents.pick('SiteAuthBackendChanged')],
    react: async ({ position, entityId: site, data: { installation }, meta }, store) => {
      if (installation === undefined) return;
      await waitForProjections({ store }, { position, type: 'IntegrationUninstalled' }, [installationReach]);
      await endUnlessThere(store.in(meta.organization ?? ''), { site, installation });
    },
  }),
];

async function endUnlessThere(
  store: StoreScope,
  { site, installation }: { site: string; installation: string },
): Promise<void> {
  const reach = await store.read(installationReach).byId(installation);
  if (reach !== null && reachedSince(reach, { kind: 'site', id: site }) !== null) return;
  await store
    .within({ site })
    .step(site)
    .handle(publishingAuth, site, (state) => endLogin(state, installation));
}
