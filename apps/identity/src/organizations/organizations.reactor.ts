import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { openRoster } from './found-organization.process.js';
import { organizationEvents } from './organization.events.js';

/** Opens the roster of a new organization if the process that founded it could not. */
export function rosterReactor(context: ServiceContext): Reactor {
  return reactor({
    name: 'roster_of_new_organizations',
    version: 1,
    entities: ['identity.organization'],
    events: [organizationEvents.pick('OrganizationCreated')],
    react: (event, { context: command }) =>
      openRoster(context, { organization: event.entityId, creator: event.data.createdBy }, command),
  });
}
