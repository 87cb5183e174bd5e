import { integrationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventDataOf, type EventOf } from '@scriptorium/event-sourcing';

export const integrationEvents = defineEvents(integrationEventSchemas);
export type IntegrationEvent = EventOf<typeof integrationEvents>;
/** A version of an integration, as it was published. */
export type Published = EventDataOf<IntegrationEvent, 'IntegrationPublished'>;
/** What an integration asks of its installations. */
export type Demands = EventDataOf<IntegrationEvent, 'IntegrationDemandsChanged'>['demands'];
/** What is to be published. */
export type Wanted = Omit<Published, 'version' | 'replacedSecrets'>;
