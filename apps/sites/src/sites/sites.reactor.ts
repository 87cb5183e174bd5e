import { organizationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { createDefaultSite } from './create-site.process.js';

/** An organization gets a site when it is created, if its creator wishes one. */
export function defaultSitesReactor({ limits }: Pick<ServiceContext, 'limits'>): Reactor {
  return reactor({
    name: 'default_sites',
    entities: ['identity.organization'],
    events: [defineEvents(organizationEventSchemas).pick('OrganizationCreated')],
    react: async ({ entityId: organization, data: { title, withDefaultSite } }, store) => {
      if (withDefaultSite === true) await createDefaultSite(store, { organization, title }, limits);
    },
  });
}
