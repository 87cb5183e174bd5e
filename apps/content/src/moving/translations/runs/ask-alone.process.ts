import { ProviderFailure } from '../providers/provider.js';
import { hasText, rememberProblems } from '../texts/segment-memory.operational.js';
import { answerBatch, type Asked } from './answer-batch.process.js';
import { logFailure, waitAsTold } from './ask-together.process.js';
import type { AskedSegment } from './run-work.operational.js';
import { inTime } from './step-time.js';
import { failedFor, type RunState, type Stepped, type Working } from './working.process.js';

/**
 * Has the texts of a batch that failed together translated one by one, so that one which the provider refuses does not
 * hold up the others: its source stays, and it is listed as `unanswered`. The run fails when the provider has never
 * answered for any text of the translation. `next`: the state when all are done.
 */
export async function askAlone(working: Working, state: RunState, asked: Asked, next: RunState): Promise<Stepped> {
  const { provider, isOver } = inTime(working.provider);
  const failed = failedFor('provider_error', state.tries);
  let isAnswering = await hasAnswered(working);
  let isAnyDone = false;
  const refused: AskedSegment[] = [];
  for (const segment of asked.segments) {
    try {
      await answerBatch(working, provider, { ...asked, segments: [segment] }, () => (isAnyDone = true));
      isAnswering = true;
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      logFailure(working, state, error);
      // The next step goes on with the others. Without progress it would do the same again.
      if (isOver()) return isAnyDone ? { next: state } : failed;
      const waiting = waitAsTold(working, state, error);
      if (waiting !== undefined) return waiting;
      if (!error.isOfText) return failed;
      refused.push(segment);
    }
    if (!isAnswering || refused.length === 0) continue;
    await refuse(working, refused.splice(0));
    isAnyDone = true;
  }
  return refused.length > 0 ? failed : { next };
}

/** Whether the provider is known to answer: it has done so in this run, or earlier for this translation. */
async function hasAnswered({ scope, of, known }: Working): Promise<boolean> {
  return known.translated !== null || (await hasText(scope, of.translation));
}

async function refuse({ scope, of, running: { request } }: Working, segments: readonly AskedSegment[]): Promise<void> {
  const problems = segments.map(({ hash, terms }) => [hash, { problems: ['unanswered'], terms, request }] as const);
  await rememberProblems(scope, of.translation, new Map(problems));
}
