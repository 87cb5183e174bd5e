import * as z from 'zod';
import { Language } from '../library/space.js';

const id = z.string();
const ids = z.array(id);
const count = z.int();
const usage = z.object({ characters: count, promptTokens: count, completionTokens: count });

/** Why a run of a translation failed. `unexpected`: not by the provider, but by an error here, which is in the log. */
export const translationFailures = [
  'no_provider',
  'provider_error',
  'ai_disabled',
  'limit_reached',
  'source_deleted',
  'result_deleted',
  'unexpected',
] as const;

/** Stream `content.translations-<organization>`: which translations there are, since they are unique and counted. */
export const translationListEventSchemas = {
  /** `result`: the space that the first run makes. `from`: the language of the source as the translation reads it. */
  TranslationCreated: z.object({ translation: id, source: id, from: Language, language: Language, result: id }),
  /** Nobody has it any more, or its source is gone. The result stays as an ordinary space. */
  TranslationDeleted: z.object({ translation: id }),
  /** The organization was deleted. Nothing comes into the stream any more. */
  TranslationsClosed: z.object({}),
};

/**
 * Stream `content.translation-<id>`: the runs of a translation. Instructions, terms and corrections stand in
 * operational collections; here are their names.
 */
export const translationEventSchemas = {
  /**
   * `pages`: those that are translated although they have not changed; all of them with `force` alone. `terms`: the
   * entries of the glossary whose segments are translated again. `force`: the memory is not used, except for pins.
   */
  TranslationRunRequested: z.object({
    cause: z.enum(['create', 'run', 'source', 'glossary', 'instructions', 'pin']),
    pages: ids.optional(),
    terms: ids.optional(),
    force: z.boolean().optional(),
  }),
  /**
   * `request`: how many times a run was requested until now; this one answers them all. `revision`: of the source; null
   * when it has none.
   */
  TranslationRunStarted: z.object({ run: id, request: count, revision: id.nullable() }),
  /**
   * `revision`: that of the result; null when nothing has changed. `totalPages`: those of the result that are
   * translated, by this run or an earlier one. `seconds`: how long it took.
   */
  TranslationRunCompleted: z.object({
    run: id,
    revision: id.nullable(),
    pages: count,
    totalPages: count,
    words: count,
    seconds: count,
    segments: z.object({ reused: count, translated: count, kept: count }),
    usage,
  }),
  /** `usage`: what the provider has used until then, if it was asked. */
  TranslationRunFailed: z.object({
    run: id,
    reason: z.enum(translationFailures),
    attempts: count,
    usage: usage.optional(),
  }),
  /** `text`: the name of the instructions; null when there are none any more. */
  TranslationInstructionsChanged: z.object({ text: id.nullable() }),
  TranslationSegmentPinned: z.object({ segment: id }),
  TranslationSegmentUnpinned: z.object({ segment: id }),
  /** The translation was deleted. Nothing comes into the stream any more. */
  TranslationEnded: z.object({}),
};

/** Stream `content.glossary-<organization>`: which terms its glossary has. What they say stands in `op_glossary`. */
export const glossaryEventSchemas = {
  /** `text`: the name of what the inserted and updated ones say. */
  GlossaryChanged: z.object({ inserted: ids, updated: ids, deleted: ids, text: id }),
  /** The organization was deleted. Nothing comes into the stream any more. */
  GlossaryClosed: z.object({}),
};
