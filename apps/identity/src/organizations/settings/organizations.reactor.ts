import { siteDirectoryEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { organizationEvents } from '../../events/index.js';
import { forgetSite, organization, showFirst } from './organization.js';
import { openRoster } from './create-organization.process.js';

/** Opens the roster of a new organization if the process that created it stopped before that. */
export function rosterReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'roster_of_new_organizations',
    version: 1,
    entities: ['identity.organization'],
    events: [organizationEvents.pick('OrganizationCreated')],
    react: async (event, store) =>
      void (await openRoster(context.scope(store), { organization: event.entityId, creator: event.data.createdBy })),
  });
}

const siteChanges = defineEvents(siteDirectoryEventSchemas).pick('SiteAdded', 'SiteDeleted');

/** What an organization shows first follows its sites. */
export const defaultSitesReactor: Reactor = reactor({
  name: 'default_sites_of_organizations',
  entities: ['sites.directory'],
  events: [siteChanges],
  react: async ({ entityId: id, type, data }, store) => {
    const { site } = data;
    if (type === 'SiteAdded' && data.isDefault !== true) return;
    const decide = type === 'SiteAdded' ? showFirst : forgetSite;
    await store.in(id).handle(organization, id, (state) => decide(state, site));
  },
});
