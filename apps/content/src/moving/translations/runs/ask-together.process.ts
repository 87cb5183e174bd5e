import { triesTogether, waitBeforeTry, waitWhenTold } from '../providers/batches.js';
import { ProviderFailure } from '../providers/provider.js';
import { answerBatch, type Asked } from './answer-batch.process.js';
import { inTime } from './step-time.js';
import { failedFor, type RunState, type Stepped, type Working } from './working.process.js';

/** How long a run waits for a provider that says when it can be asked again, ms from its beginning. */
const longestRunMs = 6 * 3_600_000;

/** Has all texts of a batch translated. `next`: the state when they are. */
export async function askTogether(working: Working, state: RunState, asked: Asked, next: RunState): Promise<Stepped> {
  let isAnswered = false;
  try {
    await answerBatch(working, inTime(working.provider).provider, asked, () => (isAnswered = true));
    return { next };
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    logFailure(working, state, error);
    const waiting = waitAsTold(working, state, error);
    if (waiting !== undefined) return waiting;
    // What was answered before is done: another request failed now.
    const tries = isAnswered ? 1 : state.tries + 1;
    return { next: { ...state, tries }, afterMs: waitBeforeTry(tries) ?? 0 };
  }
}

/** Whether the texts of a batch have failed together as often as they may. */
export const isTriedTogether = ({ tries }: RunState): boolean => tries >= triesTogether;

/** Says in the log what a provider has failed with. The message has no texts and no key. */
export function logFailure({ scope, of }: Working, { tries }: RunState, { message }: ProviderFailure): void {
  const { translation, run } = of;
  scope.logger.warn({ translation, run, tries, failure: message }, 'the provider of translations has failed');
}

/** A provider that says when it can be asked again is waited for, which counts as no try. */
export function waitAsTold(
  { scope }: Pick<Working, 'scope'>,
  state: RunState,
  { retryAfterMs }: ProviderFailure,
): Stepped | undefined {
  if (retryAfterMs === undefined) return undefined;
  const afterMs = waitWhenTold(retryAfterMs);
  const isTooLong = scope.now() + afterMs > state.startedAt + longestRunMs;
  return isTooLong ? failedFor('provider_error', state.tries + 1) : { next: state, afterMs };
}
