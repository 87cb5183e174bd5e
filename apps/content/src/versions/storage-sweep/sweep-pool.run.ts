import {
  defineRun,
  runHandler,
  type RunHandler,
  type StepOutcome,
  type StoreScope,
  type TimerHandler,
} from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import type { ContentObjects } from '../object-store/index.js';
import { comparePool, firstCompared } from './compare-pool.process.js';
import { noFindings } from './findings.js';
import { dropMarks } from './marks.operational.js';
import { beginStep, firstPlace, Place, walkPool, type PoolWalk } from './walk-pool.process.js';

/** The command of the timers that sweep a pool. */
export const sweepCommand = 'sweep_pool';

/** What a request has stored so recently may be about to be named by a revision. */
export const youngMs = 24 * 3_600_000;

/**
 * `purged`: the space whose content goes, or the import that has left something. `round`: what was too young in one
 * round is looked at again in the next one.
 */
const Sweep = z.object({ pool: z.string(), purged: z.string(), round: z.int().default(0) });
type Sweep = z.output<typeof Sweep>;

const State = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('mark'), place: Place }),
  z.object({
    phase: z.literal('compare'),
    of: z.enum(['objects', 'files']),
    after: z.string(),
    young: z.int(),
    removed: z.int(),
  }),
  z.object({ phase: z.literal('forget'), young: z.int(), removed: z.int() }),
]);
type State = z.output<typeof State>;
type Comparing = Extract<State, { phase: 'compare' }>;

/**
 * Removes what only a purged space had of a pool that other spaces read from, too: it marks all that their revisions
 * name, and removes the rest.
 */
export const sweepPool = defineRun({
  kind: 'sweep_pool',
  input: Sweep,
  state: State,
  begin: (): State => ({ phase: 'mark', place: firstPlace }),
  cancellable: false,
  openAtMost: 120_000,
});

/** Schedules the sweep of a pool, at once or in a later round. Repeating it changes nothing. */
export async function scheduleSweep(store: StoreScope, { pool, purged, round }: Sweep, at: number): Promise<void> {
  const id = `${sweepCommand}:${purged}:${round}`;
  await store.schedule({ id, at, command: sweepCommand, data: { pool, purged, round } });
}

/** Requests the run that a timer was scheduled for. */
async function requestSweep(store: StoreScope, data: unknown): Promise<void> {
  const sweep = Sweep.parse(data);
  await store.requestRun(sweepPool, { id: `sweep-${sweep.purged}-${sweep.round}`, input: sweep });
}

export function sweepHandler(context: ServiceContext, objects: ContentObjects): RunHandler {
  return runHandler(sweepPool, {
    async step(state, store, { id, input }): Promise<StepOutcome<State>> {
      if (state.phase === 'forget') return forget(context, store, { id, input }, state);
      const pool = { pool: input.pool, but: input.purged, check: id, looksAtFiles: false };
      const walk = beginStep(context, { ...pool, store, objects, findings: structuredClone(noFindings) });
      return { next: state.phase === 'mark' ? await markOn(walk, state.place) : await removeOn(context, walk, state) };
    },
    cleanUp: async (state, _store, { id }) => ((await dropMarks(context, id)) ? { next: state } : { done: null }),
  });
}

async function markOn(walk: PoolWalk, from: Place): Promise<State> {
  const place = await walkPool(walk, from);
  if (place !== undefined) return { phase: 'mark', place };
  return { phase: 'compare', ...firstCompared, young: 0, removed: 0 };
}

async function removeOn(context: ServiceContext, walk: PoolWalk, from: Comparing): Promise<State> {
  let { young, removed } = from;
  const before = context.now() - youngMs;
  const compared = await comparePool(walk, from, async ({ of, names }) => {
    const store = of === 'objects' ? walk.objects : walk.objects.files;
    const gone = await store.remove(walk.pool, { names, before });
    removed += gone;
    young += names.length - gone;
  });
  return compared === undefined
    ? { phase: 'forget', young, removed }
    : { phase: 'compare', ...compared, young, removed };
}

async function forget(
  context: ServiceContext,
  store: StoreScope,
  { id, input }: { id: string; input: Sweep },
  state: Extract<State, { phase: 'forget' }>,
): Promise<StepOutcome<State>> {
  if (await dropMarks(context, id)) return { next: state };
  const { young, removed } = state;
  if (young > 0) await scheduleSweep(store, { ...input, round: input.round + 1 }, context.now() + youngMs);
  return { done: { removed, young } };
}

/** Begins the sweep that a timer was scheduled for. */
export const sweepTimer: TimerHandler = ({ data }, store) => requestSweep(store, data);
