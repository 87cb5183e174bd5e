import { termsEmbedder, weightsOf, type Embedder } from '@scriptorium/clustering';
import { runHandler, type RunHandler, type StepOutcome } from '@scriptorium/event-sourcing';
import { organizationFacts } from '@scriptorium/access';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import { presentClusters, type Clusters } from '../clusters/index.js';
import { conversations } from '../conversations/index.js';
import { ModelFailure, noteOutage, type Models } from '../models/index.js';
import { analysisRun, type AnalysisState } from './analysis.run.js';
import { scheduleAnalysis } from './analysis.timer.js';
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

/** Conversations of one step. A model is asked for the vectors of up to three issues of each. */
const mostConversations = { terms: 100, dense: 64 } as const;

/** How long issues wait for vectors of a model, and how long at least until it is asked again, ms. */
const [longestOutage, againMs] = [3_600_000, 60_000];

type Done = StepOutcome<AnalysisState>;

/** The steps of an analysis. */
export function analysisHandler(context: ServiceContext, cache: CentroidCache, models: Models): RunHandler {
  return runHandler(analysisRun, {
    async step(state, store, { input: { organization, isNight }, signal }): Promise<Done> {
      requireLive(store, [conversations, organizationFacts]);
      const weights = await weightTableOf(context, organization);
      const known = { context, cache, models, store, organization, signal, ...weights };
      try {
        return outcomeOf(state, await stepOf({ ...known, embedder: await embedderOf(known, state) }, state, isNight));
      } catch (error) {
        if (error instanceof ModelFailure) return withoutVectors(known, { state, isNight, error });
        throw error;
      }
    },
  });
}

function outcomeOf(state: AnalysisState, next: AnalysisState | undefined): Done {
  const progress = { done: next?.done ?? state.done };
  if (next === undefined) return { done: null, progress };
  return { next, progress, ...(next.pauseMs > 0 ? { afterMs: next.pauseMs } : {}) };
}

/** What makes the vectors of a step: the model, if there is one and the organization wants it; otherwise terms. */
async function embedderOf(
  { models, store, organization, signal, table }: Omit<Analysing, 'embedder'>,
  { byTerms }: AnalysisState,
): Promise<Embedder> {
  const isWanted = async () => (await store.read(organizationFacts).byId(organization))?.ai === true;
  if (models.embeddings === undefined || byTerms || !(await isWanted())) return termsEmbedder(weightsOf(table));
  return models.embeddings.open(signal);
}

/**
 * The model gave no vectors. Its vectors and those of terms do not compare, so issues wait for it; after an hour they
 * are clustered by terms. The model is asked again when its server says, at the end of that hour at the latest.
 */
async function withoutVectors(
  { context, store, organization }: Omit<Analysing, 'embedder'>,
  { state, isNight, error: { message: why, waitMs } }: { state: AnalysisState; isNight: boolean; error: ModelFailure },
): Promise<Done> {
  const now = context.now();
  const since = await noteOutage(context, organization, waitMs);
  const byTerms = now - since >= longestOutage;
  context.logger.warn({ organization, why, since, byTerms }, 'the model of embeddings gave no vectors');
  if (byTerms) return { next: { ...state, byTerms } };
  const afterMs = Math.max(againMs, Math.min(waitMs, since + longestOutage - now));
  await scheduleAnalysis(store, organization, { now, isNight, afterMs });
  return { done: null };
}

/** Phases that need the centroids of all clusters. */
const withCentroids: ReadonlySet<AnalysisState['phase']> = new Set(['extract', 'cut', 'compare', 'merge', 'gather']);

/** Does one step. Resolves to the state of the next one, or nothing. */
async function stepOf(
  analysing: Analysing,
  state: AnalysisState,
  isNight: boolean,
): Promise<AnalysisState | undefined> {
  // Those that are missing are made in steps of their own, so that each step has a bound.
  if (withCentroids.has(state.phase) && !(await prepareCentroids(analysing))) return state;
  switch (state.phase) {
    case 'extract': {
      const waiting = await nextConversations(
        analysing.store,
        analysing.organization,
        mostConversations[analysing.embedder.kind],
      );
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
  { regrouped }: AnalysisState,
  isNight: boolean,
): Promise<AnalysisState['phase']> {
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

async function regroup(analysing: Analysing, state: AnalysisState): Promise<AnalysisState> {
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
