import { Language } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

const id = z.string();

/** Stream `content.translations-<organization>`: which translations there are, since they are unique and counted. */
export const translationListEvents = defineEvents({
  /** `result`: the space that the first run makes. `from`: the language of the source as the translation reads it. */
  TranslationCreated: z.object({ translation: id, source: id, from: Language, language: Language, result: id }),
  /** Nobody has it any more, or its source is gone. The result stays as an ordinary space. */
  TranslationDeleted: z.object({ translation: id }),
  /** The organization was deleted. Nothing comes into the stream any more. */
  TranslationsClosed: z.object({}),
});
export type TranslationListEvent = EventOf<typeof translationListEvents>;
