import { ingestionEventSchemas } from '@scriptorium/contracts';
import { defineAggregate, defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const ingestionEvents = defineEvents(ingestionEventSchemas);
export type IngestionEvent = EventOf<typeof ingestionEvents>;

/** The calls that have ingested conversations into an organization. Nothing is decided by them. */
export const ingestion = defineAggregate({
  service: 'conversations',
  entity: 'ingestion',
  events: ingestionEvents,
  initial: {},
  evolve: (state: object) => state,
});

/** The event of a call that has ingested conversations; none when nothing has changed. */
export function recordIngestion(source: string, counts: { added: number; replaced: number }): IngestionEvent[] {
  return counts.added + counts.replaced === 0 ? [] : [{ type: 'ConversationsIngested', data: { source, ...counts } }];
}
