import { commentEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventDataOf, type EventOf } from '@scriptorium/event-sourcing';

export const commentEvents = defineEvents(commentEventSchemas);
export type CommentEvent = EventOf<typeof commentEvents>;
/** Where a comment is, and what it is about. */
export type CommentTarget = Pick<
  EventDataOf<CommentEvent, 'CommentPosted'>,
  'space' | 'changeRequest' | 'review' | 'page' | 'node' | 'tableCell' | 'revision'
>;
/** A text as events name it. */
export type WrittenText = Pick<EventDataOf<CommentEvent, 'CommentPosted'>, 'text' | 'bytes' | 'mentions'>;
