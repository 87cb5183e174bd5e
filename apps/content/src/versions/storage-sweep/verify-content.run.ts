import { defineRun, runHandler, type RunHandler } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import * as z from 'zod';
import { branches } from '../branches/index.js';
import type { ContentObjects } from '../object-store/index.js';
import { comparePool, firstCompared } from './compare-pool.process.js';
import { Findings, noFindings } from './findings.js';
import { dropMarks } from './marks.operational.js';
import { beginStep, firstPlace, Place, walkPool, type PoolWalk } from './walk-pool.process.js';

const State = z.object({
  /** The pool that is looked at; `''` before the first one. */
  pool: z.string(),
  pools: z.int(),
  findings: Findings,
  at: z.discriminatedUnion('phase', [
    z.object({ phase: z.literal('next') }),
    z.object({ phase: z.literal('mark'), place: Place }),
    z.object({ phase: z.literal('compare'), of: z.enum(['objects', 'files']), after: z.string() }),
  ]),
});
type State = z.output<typeof State>;

/** Looks whether everything that any revision names is there and whole, pool by pool. It changes nothing. */
export const verifyContent = defineRun({
  kind: 'verify_content',
  input: z.object({}),
  state: State,
  begin: (): State => ({ pool: '', pools: 0, findings: noFindings, at: { phase: 'next' } }),
  openAtMost: 1,
});

export function verifyHandler(context: ServiceContext, objects: ContentObjects): RunHandler {
  return runHandler(verifyContent, {
    async step(state, store, { id }) {
      const findings = structuredClone(state.findings);
      const pool = { pool: state.pool, check: id, looksAtFiles: true };
      const walk = beginStep(context, { ...pool, store, objects, findings });
      const at = await goOn(walk, state.at);
      const next = { ...state, findings, at: at ?? { phase: 'next' as const } };
      if (at !== undefined) return { next, progress: { done: state.pools } };
      if (await dropMarks(context, id)) return { next };
      const [branch] = await store
        .read(branches)
        .find({ pool: { $gt: state.pool } })
        .sort({ pool: 1 })
        .limit(1)
        .toArray();
      if (branch === undefined) return { done: findings, progress: { done: state.pools } };
      const begun = { pool: branch.pool, pools: state.pools + 1, at: { phase: 'mark', place: firstPlace } as const };
      return { next: { ...next, ...begun }, progress: { done: state.pools } };
    },
    async cleanUp(state, _store, { id }) {
      return (await dropMarks(context, id)) ? { next: state } : { done: null };
    },
  });
}

/** Goes on within a pool; `undefined` when it is done. */
async function goOn(walk: PoolWalk, at: State['at']): Promise<State['at'] | undefined> {
  if (at.phase === 'next') return undefined;
  if (at.phase === 'mark') {
    const place = await walkPool(walk, at.place);
    return place === undefined ? { phase: 'compare', ...firstCompared } : { phase: 'mark', place };
  }
  const compared = await comparePool(walk, at, ({ names }) => {
    walk.findings.unreachable += names.length;
    return Promise.resolve();
  });
  return compared && { phase: 'compare', ...compared };
}
