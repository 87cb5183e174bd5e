import { AppError } from '@scriptorium/contracts';
import { scopeOfStep } from './run-context.js';
import { type RunDoc } from '../run-documents.js';
import { type RunAtWork, type RunWorkParts } from './run-parts.js';
import { type StepOutcome } from './run-steps.js';

const lookEvery = 100;

/**
 * Tries the next step of a run once. Rejects when the step takes longer than its kind allows, and soon after this
 * replica has lost the run or must stop. What the step does after that is refused.
 */
export async function tryStep(
  { scopes, clock }: Pick<RunWorkParts, 'scopes' | 'clock'>,
  { handler, leaseState, stopping }: Pick<RunAtWork, 'handler' | 'leaseState' | 'stopping'>,
  doc: RunDoc,
): Promise<StepOutcome<unknown>> {
  const { step, ending } = doc;
  const over = new AbortController();
  const holds = (): boolean => leaseState() === 'held';
  const deadline = clock.now() + handler.kind.stepWithinMs;
  const { run, store } = scopeOfStep(scopes, { doc, deadline, signal: over.signal, holds });
  const state: unknown = doc.state === null ? handler.begin(run.input) : JSON.parse(doc.state);
  const [late, watching] = stepLimits(() => !holds() || stopping() === 'now', {
    step,
    withinMs: handler.kind.stepWithinMs,
  });
  try {
    const done = ending === undefined ? handler.step(state, store, run) : handler.cleanUp(state, store, run, ending);
    return await Promise.race([done, late]);
  } finally {
    for (const timer of watching) clearTimeout(timer);
    over.abort();
  }
}

/**
 * A promise that rejects when the time of the step is over, or when the step has to end for another reason. With
 * its timers.
 */
function stepLimits(
  mustEnd: () => boolean,
  { step, withinMs }: { step: number; withinMs: number },
): [Promise<never>, NodeJS.Timeout[]] {
  const timers: NodeJS.Timeout[] = [];
  const late = new Promise<never>((_, reject) => {
    const fail = (message: string): void => reject(new AppError('unexpected', [], { message }));
    timers.push(
      setTimeout(() => fail(`step ${step} took longer than ${withinMs} ms`), withinMs),
      setInterval(() => {
        if (mustEnd()) fail(`step ${step} was interrupted`);
      }, lookEvery),
    );
  });
  return [late, timers];
}
