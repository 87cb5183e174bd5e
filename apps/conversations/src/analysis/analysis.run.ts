import { defineRun, runHandler, type RunHandler } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { presentClusters } from '../clusters/index.js';
import { conversations } from '../conversations/index.js';
import type { CentroidCache } from './centroid-cache.process.js';
import { cutTableIfDue } from './cut-table.process.js';
import { describeStep } from './describe-step.process.js';
import type { Analysing } from './analysing.js';
import { extractStep } from './extract-step.process.js';
import { isRegroupDue, regroupStep } from './regroup-step.process.js';

/** Finds issues in the conversations of an organization, and clusters them. */
export const analysisRun = defineRun({
  kind: 'conversation_analysis',
  input: z.object({ organization: z.string(), isNight: z.boolean() }),
  state: z.object({
    phase: z.enum(['extract', 'cut', 'look', 'merge', 'gather', 'describe']),
    done: z.int(),
    /** Whether clusters were merged and gathered already. */
    regrouped: z.boolean(),
  }),
  begin: () => ({ phase: 'extract' as const, done: 0, regrouped: false }),
  openAtMost: 1,
  stepWithinMs: 30_000,
});

type State = z.output<typeof analysisRun.state>;

export function analysisHandler(context: ServiceContext, cache: CentroidCache): RunHandler {
  return runHandler(analysisRun, {
    async step(state, store, { input: { organization, isNight } }) {
      requireLive(store, [conversations]);
      const next = await stepOf({ context, cache, store, organization }, state, isNight);
      const progress = { done: next?.done ?? state.done };
      return next === undefined ? { done: null, progress } : { next, progress };
    },
  });
}

/** Does one step. Resolves to the state of the next one, or nothing. */
async function stepOf(analysing: Analysing, state: State, isNight: boolean): Promise<State | undefined> {
  switch (state.phase) {
    case 'extract': {
      const found = await extractStep(analysing);
      return found > 0 ? { ...state, phase: 'cut', done: state.done + found } : { ...state, phase: 'look' };
    }
    case 'cut':
      await cutTableIfDue(analysing);
      return { ...state, phase: 'extract' };
    case 'look': {
      await analysing.cache.store(analysing.context, analysing.organization);
      const clusters = await presentClusters(analysing.store, analysing.organization);
      const isDue = isRegroupDue(clusters, isNight && !state.regrouped);
      return { ...state, phase: isDue ? 'merge' : 'describe' };
    }
    case 'merge':
      await regroupStep(analysing, 'merge');
      return { ...state, phase: 'gather' };
    case 'gather':
      await regroupStep(analysing, 'gather');
      return { ...state, phase: 'extract', regrouped: true };
    case 'describe':
      return (await describeStep(analysing)) ? state : undefined;
  }
}
