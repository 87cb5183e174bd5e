import { organizationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { directoryEvents, siteEvents } from '../model/index.js';
import { close, directory, erased } from '../directory/index.js';
import { eraseSite } from './erase-site.process.js';
import { lookAfterNew } from './unadded.timer.js';

/** With an organization its sites go, at once. */
export const deletedOrganizationsReactor: Reactor = reactor({
  name: 'sites_of_deleted_organizations',
  entities: ['identity.organization'],
  events: [defineEvents(organizationEventSchemas).pick('OrganizationDeleted')],
  react: async ({ entityId: organization }, store) => {
    await store.in(organization).handle(directory, organization, close);
  },
});

/**
 * What belongs to a deleted site is removed. Nothing can be written to its streams from then on; what was written to
 * them after the deletion is taken out of the read models once the directory says that they are gone.
 */
export function deletedSitesReactor(context: Pick<ServiceContext, 'idempotency'>): Reactor {
  return reactor({
    name: 'deleted_sites',
    entities: ['directory'],
    events: [directoryEvents.pick('SiteDeleted')],
    react: async ({ entityId: organization, data }, store) => {
      await eraseSite(store.in(organization), data.site);
      await store.in(organization).handle(directory, organization, () => erased(data.site));
      // Answers that are kept for repeated requests may show titles.
      await context.idempotency.forget();
    },
  });
}

/**
 * A site that the directory never got, or that was created at the moment in which its organization was deleted, is
 * removed.
 */
export const newSitesReactor: Reactor = reactor({
  name: 'new_sites',
  entities: ['site'],
  events: [siteEvents.pick('SiteCreated')],
  react: async ({ entityId: id, data: { organization }, meta }, store) => {
    await lookAfterNew(store, { organization, site: id }, meta.time);
  },
});
