import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { EventsController } from './events.controller.js';
import { accessToEvent } from './events.queries.js';

/** What was delivered to scripts, for people. */
export const events = defineDomain({
  name: 'events',
  controllers: [EventsController],
  resolvers: ({ use }) => ({
    integration_event: (scope, principal, params) => accessToEvent(scope, use(ServiceAccess), principal, params),
  }),
});
