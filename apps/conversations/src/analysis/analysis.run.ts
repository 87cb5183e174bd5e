import { defineRun, runHandler, type RunHandler } from '@scriptorium/event-sourcing';
import { organizationFacts } from '@scriptorium/access';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { presentClusters, type Clusters } from '../clusters/index.js';
import { conversations } from '../conversations/index.js';
import type { Models } from '../models/index.js';
import { askStep } from './ask-issues.process.js';
import type { CentroidCache } from './centroid-cache.process.js';
import { prepareCentroids } from './prepare-centroids.process.js';
import { cutTableIfDue } from './cut-table.process.js';
import { describeStep } from './describe-step.process.js';
import type { Analysing } from './analysing.process.js';
import { extractStep } from './extract-step.process.js';
import { gatherStep } from './gather-step.process.js';
import { compareStep, mergeStep, planMerges } from './merge-step.process.js';
import { nextConversations } from './waiting.queries.js';
import { weightTableOf } from './weights.operational.js';

/** Issues after which clusters are merged and gathered. */
const issuesBetween = 1_000;

/** Finds issues in the conversations of an organization, and clusters them. */
export const analysisRun = defineRun({
  kind: 'conversation_analysis',
  input: z.object({ organization: z.string(), isNight: z.boolean() }),
  state: z.object({
    /** `look`: as a run of an older version called `decide`. */
    phase: z
      .enum(['extract', 'cut', 'look', 'decide', 'compare', 'merge', 'gather', 'describe'])
      .transform((phase) => (phase === 'look' ? 'decide' : phase)),
    done: z.int(),
    /** Whether clusters were merged and gathered already. */
    regrouped: z.boolean(),
    /** The number of the last cluster that was compared, gathered or described in this phase. */
    after: z.int().default(0),
    /** Clusters that are alike. */
    pairs: z.array(z.object({ first: z.int(), second: z.int(), similarity: z.number() })).default([]),
    /** Merges that are to be recorded. */
    merges: z.array(z.object({ into: z.int(), from: z.int() })).default([]),
    /** See `Asking`. */
    tries: z.int().default(0),
    withoutChat: z.boolean().default(false),
  }),
  begin: () => ({
    ...{ phase: 'extract' as const, done: 0, regrouped: false, after: 0, pairs: [], merges: [] },
    ...{ tries: 0, withoutChat: false },
  }),
  openAtMost: 1,
  // A model takes up to 50 s for an answer, and is asked three times in a row.
  stepWithinMs: 240_000,
});

type State = z.output<typeof analysisRun.state>;

/** How long the run waits before a model is asked again, ms. */
const pauses = [500, 3_000];

export function analysisHandler(context: ServiceContext, cache: CentroidCache, models: Models): RunHandler {
  return runHandler(analysisRun, {
    async step(state, store, { input: { organization, isNight }, signal }) {
      requireLive(store, [conversations, organizationFacts]);
      const weights = await weightTableOf(context, organization);
      const next = await stepOf({ context, cache, models, store, organization, signal, ...weights }, state, isNight);
      const progress = { done: next?.done ?? state.done };
      if (next === undefined) return { done: null, progress };
      const afterMs = pauses[next.tries - 1];
      return { next, progress, ...(afterMs === undefined ? {} : { afterMs }) };
    },
  });
}

/** Phases that need the centroids of all clusters. */
const withCentroids: ReadonlySet<State['phase']> = new Set(['extract', 'cut', 'compare', 'merge', 'gather']);

/** Does one step. Resolves to the state of the next one, or nothing. */
async function stepOf(analysing: Analysing, state: State, isNight: boolean): Promise<State | undefined> {
  // Those that are missing are made in steps of their own, so that each step has a bound.
  if (withCentroids.has(state.phase) && !(await prepareCentroids(analysing))) return state;
  switch (state.phase) {
    case 'extract': {
      const waiting = await nextConversations(analysing.store, analysing.organization);
      const asked = await askStep(analysing, state, waiting);
      if (asked !== undefined) return { ...state, ...asked };
      const found = await extractStep(analysing, waiting);
      return found > 0 ? { ...state, phase: 'cut', done: state.done + found } : { ...state, phase: 'decide' };
    }
    case 'cut':
      await cutTableIfDue(analysing);
      return { ...state, phase: 'extract' };
    case 'decide':
      return { ...state, phase: await nextPhase(analysing, state, isNight), after: 0, pairs: [] };
    case 'compare':
    case 'merge':
    case 'gather':
      return regroup(analysing, state);
    case 'describe': {
      const after = await describeStep(analysing, state, state.after);
      return after === undefined ? undefined : { ...state, after };
    }
  }
}

async function nextPhase(
  { cache, context, store, organization }: Analysing,
  { regrouped }: State,
  isNight: boolean,
): Promise<State['phase']> {
  await cache.store(context, organization, () => presentClusters(store, organization));
  if (regrouped) return 'describe';
  const clusters = await presentClusters(store, organization);
  if (isRegroupDue(clusters, isNight)) return 'compare';
  // Small clusters are gathered as time goes by, also when nothing has come.
  return isNight ? 'gather' : 'describe';
}

/** Whether clusters are to be compared and merged: after 1,000 new issues, or at night if there are any. */
function isRegroupDue({ extracted, regroupedAt }: Clusters, isNight: boolean): boolean {
  return extracted - regroupedAt >= (isNight ? 1 : issuesBetween);
}

async function regroup(analysing: Analysing, state: State): Promise<State> {
  switch (state.phase) {
    case 'compare': {
      const { after, pairs, isDone } = await compareStep(analysing, state);
      if (!isDone) return { ...state, after, pairs };
      return { ...state, phase: 'merge', after: 0, pairs: [], merges: await planMerges(analysing, pairs) };
    }
    case 'merge': {
      const merges = await mergeStep(analysing, state.merges);
      return { ...state, merges, phase: merges.length > 0 ? 'merge' : 'gather' };
    }
    default: {
      const after = await gatherStep(analysing, state.after);
      if (after !== undefined) return { ...state, after };
      return { ...state, phase: 'extract', after: 0, regrouped: true };
    }
  }
}
