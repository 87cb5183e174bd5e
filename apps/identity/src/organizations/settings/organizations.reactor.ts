import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { organizationEvents } from '../../events/index.js';
import { openRoster } from './create-organization.process.js';

/** Opens the roster of a new organization if the process that created it stopped before that. */
export function rosterReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'roster_of_new_organizations',
    version: 1,
    entities: ['identity.organization'],
    events: [organizationEvents.pick('OrganizationCreated')],
    react: (event, store) =>
      openRoster(context.scope(store), { organization: event.entityId, creator: event.data.createdBy }),
  });
}
