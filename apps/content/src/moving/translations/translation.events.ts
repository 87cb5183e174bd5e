import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

const id = z.string();
const count = z.int();

/**
 * Stream `content.translation-<id>`: the runs of a translation. Instructions, terms and corrections stand in
 * operational collections; here are their names.
 */
export const translationEvents = defineEvents({
  /**
   * `pages`: those that are translated although they have not changed; all of them with `force` alone. `terms`: the
   * entries of the glossary whose segments are translated again. `force`: the memory is not used, except for pins.
   */
  TranslationRunRequested: z.object({
    cause: z.enum(['create', 'run', 'source', 'glossary', 'instructions', 'pin']),
    pages: z.array(id).optional(),
    terms: z.array(id).optional(),
    force: z.boolean().optional(),
  }),
  /** `request`: how many times a run was requested until now; this one answers them all. */
  TranslationRunStarted: z.object({ run: id, request: count, revision: id }),
  /** `revision`: that of the result; null when nothing has changed. `seconds`: how long it took. */
  TranslationRunCompleted: z.object({
    run: id,
    revision: id.nullable(),
    pages: count,
    words: count,
    seconds: count,
    segments: z.object({ reused: count, translated: count, kept: count }),
    usage: z.object({ characters: count, promptTokens: count, completionTokens: count }),
  }),
  TranslationRunFailed: z.object({
    run: id,
    reason: z.enum([
      'no_provider',
      'provider_error',
      'ai_disabled',
      'limit_reached',
      'source_deleted',
      'result_deleted',
    ]),
    attempts: count,
  }),
  /** `text`: the name of the instructions; null when there are none any more. */
  TranslationInstructionsChanged: z.object({ text: id.nullable() }),
  TranslationSegmentPinned: z.object({ segment: id }),
  TranslationSegmentUnpinned: z.object({ segment: id }),
  /** The translation was deleted. Nothing comes into the stream any more. */
  TranslationEnded: z.object({}),
});
export type TranslationEvent = EventOf<typeof translationEvents>;
