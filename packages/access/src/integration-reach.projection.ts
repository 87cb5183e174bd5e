import { integrationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded } from '@scriptorium/event-sourcing';
import { requiredIn, type IntegrationDemands } from './installation-status.js';

/** An integration that is published, as far as it decides what its installations reach. */
export interface IntegrationReachDocument extends IntegrationDemands {
  name: string;
  /** The organization that publishes it. */
  organization: string;
  version: number;
  /** Tokens of earlier generations are refused. */
  generation: number;
}

const integrationEvents = defineEvents(integrationEventSchemas).pick(
  'IntegrationPublished',
  'IntegrationUnpublished',
  'IntegrationSigningRotated',
);

function evolve(
  doc: IntegrationReachDocument | null,
  event: Recorded<EventOf<typeof integrationEvents>>,
): IntegrationReachDocument | null {
  if (event.type === 'IntegrationUnpublished') return null;
  if (event.type === 'IntegrationSigningRotated') return doc && { ...doc, generation: event.data.generation };
  const { name, organization, version, scopes, configurations } = event.data;
  const generation = doc?.generation ?? 0;
  return { name, organization, version, scopes, required: requiredIn(configurations.account), generation };
}

/** The integrations that are published. */
export const integrationReach = projection({
  name: 'integration_reach',
  version: 2,
  entities: ['integrations.integration'],
  events: [integrationEvents],
  id: (event) => event.entityId,
  evolve,
});
