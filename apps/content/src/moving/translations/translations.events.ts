import { translationListEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const translationListEvents = defineEvents(translationListEventSchemas);
export type TranslationListEvent = EventOf<typeof translationListEvents>;
