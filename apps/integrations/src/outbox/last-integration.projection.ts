import { projection, type EventOf, type Recorded } from '@scriptorium/event-sourcing';
import { integrationEvents, type Published } from '../publishing/index.js';

const versions = integrationEvents.pick('IntegrationPublished', 'IntegrationRemoved');

function evolve(_doc: Published | null, event: Recorded<EventOf<typeof versions>>): Published | null {
  return event.type === 'IntegrationPublished' ? event.data : null;
}

/** The last version of integrations, until they are removed: scripts are told when their installations end. */
export const lastIntegrations = projection({
  name: 'last_integration',
  version: 1,
  entities: ['integration'],
  events: [versions],
  id: (event) => event.entityId,
  evolve,
});
