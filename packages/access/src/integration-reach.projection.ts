import { integrationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded } from '@scriptorium/event-sourcing';
import { requiredIn, type IntegrationDemands } from './installation-status.js';

/** An integration that is published, as far as it decides what its installations reach. */
export interface IntegrationReachDocument extends IntegrationDemands {
  name: string;
  /** The organization that publishes it. */
  organization: string;
  version: number;
}

const integrationEvents = defineEvents(integrationEventSchemas);

function evolve(
  _doc: IntegrationReachDocument | null,
  event: Recorded<EventOf<typeof integrationEvents>>,
): IntegrationReachDocument | null {
  if (event.type === 'IntegrationUnpublished') return null;
  const { name, organization, version, scopes, configurations } = event.data;
  return { name, organization, version, scopes, required: requiredIn(configurations.account) };
}

/** The integrations that are published. */
export const integrationReach = projection({
  name: 'integration_reach',
  version: 1,
  entities: ['integrations.integration'],
  events: [integrationEvents],
  id: (event) => event.entityId,
  evolve,
});
