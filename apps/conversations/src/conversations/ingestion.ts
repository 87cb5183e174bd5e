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

/** Tells that a call has ingested conversations. */
export function tell(source: string, counts: { added: number; replaced: number }): IngestionEvent[] {
  return counts.added + counts.replaced === 0 ? [] : [{ type: 'ConversationsIngested', data: { source, ...counts } }];
}
