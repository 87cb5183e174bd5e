import { z } from 'zod';
import { type StoreScope } from '../commands/store-scope.js';
import { type RunContext, type RunHandler, type StepOutcome, runHandler } from '../runs/engine/run-steps.js';
import { defineRun } from '../runs/run-kind.js';
import { type TeamEvent, team } from './team.js';

/**
 * A run that leaves one event in the stream of a team with each step, which nothing but `idem` keeps from being two.
 */
export const marking = defineRun({
  kind: 'marking',
  input: z.object({ team: z.string(), steps: z.int() }),
  state: z.object({ at: z.int() }),
  begin: () => ({ at: 0 }),
  openAtMost: 50,
  keepMs: 60_000,
});
export type Marking = RunContext<{ team: string; steps: number }> & { store: StoreScope };
type Marked = StepOutcome<{ at: number }>;

/** Where a spec may step in; a hook that rejects makes the step fail. */
export interface MarkingHooks {
  before?: (at: number, run: Marking) => Promise<void> | void;
  after?: (at: number, run: Marking) => Promise<void> | void;
  cleanUp?: (at: number, run: Marking, why: string) => Promise<Marked>;
}

export function mark(run: Marking, what: string): Promise<unknown> {
  const title = `${run.id} ${what}`;
  return run.store.handle(team, run.input.team, (): TeamEvent[] => [{ type: 'TeamRenamed', data: { title } }]);
}

export function markingHandler({ before, after, cleanUp }: MarkingHooks = {}): RunHandler {
  return runHandler(marking, {
    async step({ at }, store, context) {
      const run: Marking = { ...context, store };
      await before?.(at, run);
      await mark(run, `${at}`);
      await after?.(at, run);
      const { steps } = run.input;
      const progress = { done: at + 1, total: steps };
      return at + 1 < steps ? { next: { at: at + 1 }, progress } : { done: { marked: steps }, progress };
    },
    ...(cleanUp === undefined ? {} : { cleanUp: ({ at }, store, run, why) => cleanUp(at, { ...run, store }, why) }),
  });
}
