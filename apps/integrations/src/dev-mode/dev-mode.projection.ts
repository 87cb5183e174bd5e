import { projection, type EventOf, type Recorded } from '@scriptorium/event-sourcing';
import { integrationEvents } from '../publishing/index.js';

/** An integration in development mode. */
export interface DevModeDocument {
  /** Whether for installations of other organizations, too. */
  all: boolean;
  /** ISO 8601; it names the address that is stored encrypted. */
  until: string;
}

const events = integrationEvents.pick('DevModeEnabled', 'DevModeEnded', 'IntegrationUnpublished');

function evolve(_doc: DevModeDocument | null, event: Recorded<EventOf<typeof events>>): DevModeDocument | null {
  if (event.type !== 'DevModeEnabled') return null;
  const { all, until } = event.data;
  return { all, until };
}

/** The integrations that are in development mode. */
export const devModes = projection({
  name: 'dev_mode',
  version: 1,
  entities: ['integration'],
  events: [events],
  id: (event) => event.entityId,
  evolve,
});
