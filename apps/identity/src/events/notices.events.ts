import { noticeEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const noticeEvents = defineEvents(noticeEventSchemas);
export type NoticeEvent = EventOf<typeof noticeEvents>;
