import { translationEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';

export const translationEvents = defineEvents(translationEventSchemas);
export type TranslationEvent = EventOf<typeof translationEvents>;
