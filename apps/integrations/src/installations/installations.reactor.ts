import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import { dropLater, partOf } from '../sealed/index.js';
import { installationEvents, rosterEvents } from './installation.events.js';
import { targetIn } from './target-events.js';

/** Values that were replaced are removed when nothing can need them any more. */
export const replacedConfigurationsReactor: Reactor = reactor({
  name: 'replaced_configurations',
  entities: ['installation'],
  events: [
    installationEvents.pick('InstallationConfigured', 'SpaceInstallationConfigured', 'SiteInstallationConfigured'),
  ],
  react: async ({ entityId: installation, data, meta }, store) => {
    const { previous: version } = data;
    if (version === null) return;
    const target = 'space' in data || 'site' in data ? targetIn(data) : undefined;
    const dropped = { installation, replaced: { part: partOf(target), version } };
    await dropLater(store.in(meta.organization), dropped, meta.time);
  },
});

/** So are those of an installation that has ended. */
export const endedInstallationsReactor: Reactor = reactor({
  name: 'configurations_of_ended_installations',
  entities: ['installations'],
  events: [rosterEvents.pick('IntegrationUninstalled')],
  react: async ({ entityId: organization, data: { installation, reason }, meta }, store) => {
    // Those of a deleted organization are removed at once.
    if (reason !== 'organization_deleted') await dropLater(store.in(organization), { installation }, meta.time);
  },
});
