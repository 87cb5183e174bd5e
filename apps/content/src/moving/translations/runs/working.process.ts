import { AppError } from '@scriptorium/contracts';
import type { RunContext } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import * as z from 'zod';
import { revisions, type ContentObjects, type RevisionDocument } from '../../../versions/index.js';
import type { TranslationProvider } from '../providers/provider.js';
import type { Outcome, Translation } from '../translation.js';
import type { Translations } from '../translations.js';
import type { RunOfTranslation } from './run-work.operational.js';

/** What a run passes from step to step. What it works on is kept beside it: where that is lost, it plans anew. */
export const RunState = z.object({
  phase: z.enum(['plan', 'segment', 'translate', 'build', 'commit']),
  /** The chunk or batch that is next. */
  at: z.int(),
  chunks: z.int(),
  batches: z.int(),
  /** Words that are to be translated. */
  words: z.int(),
  /** Attempts at the batch that failed. */
  tries: z.int(),
  /** Whether all pages are looked at. */
  isWide: z.boolean(),
  /** Milliseconds since 1970. */
  startedAt: z.number(),
});
export type RunState = z.output<typeof RunState>;

export const firstState: RunState = {
  ...{ phase: 'plan', at: 0, chunks: 0, batches: 0, words: 0, tries: 0, isWide: false, startedAt: 0 },
};

/** What a step of a run works with. */
export interface Working {
  scope: Scope;
  objects: ContentObjects;
  provider: TranslationProvider;
  run: RunContext<unknown>;
  of: RunOfTranslation;
  organization: string;
  /** Which spaces and languages. */
  about: NonNullable<ReturnType<Translations['all']['get']>>;
  /** Those of the organization. */
  others: Translations;
  known: Translation;
  running: NonNullable<Translation['running']>;
}

/** What a step comes to: the next one, perhaps later, or the end of the run. */
export type Stepped = { next: RunState; afterMs?: number } | { outcome: Outcome };

/** The run ends without a result. */
export const failedFor = (reason: Extract<Outcome, { reason: string }>['reason'], attempts = 1): Stepped => ({
  outcome: { reason, attempts },
});

/** A revision of the source, and the pool of its content. @throws AppError `unavailable` while reads do not show it */
export async function requireRevision(
  { scope: { store } }: Pick<Working, 'scope'>,
  revision: string,
): Promise<RevisionDocument> {
  const found = await store.read(revisions).byId(revision);
  if (found === null)
    throw new AppError('unavailable', [], { message: 'The revision is not shown yet', retryAfter: 1 });
  return found;
}
