import { ServiceAccess } from '@scriptorium/access';
import { defineDomain } from '@scriptorium/platform';
import { EventsController } from './events.controller.js';
import { accessToEvent } from './events.queries.js';
import { FailedDeliveriesController } from './failed-deliveries.controller.js';
import { WebhookDeliveriesController } from './webhook-deliveries.controller.js';

/** What was delivered to scripts and webhooks, for people and for operators. */
export const events = defineDomain({
  name: 'events',
  controllers: [EventsController, WebhookDeliveriesController, FailedDeliveriesController],
  resolvers: ({ use }) => ({
    integration_event: (scope, principal, params) => accessToEvent(scope, use(ServiceAccess), principal, params),
  }),
});
