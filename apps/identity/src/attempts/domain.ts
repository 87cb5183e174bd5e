import { defineDomain, type Domain } from '@scriptorium/platform';
import { attemptIndexes, sweepAttempts } from './attempts.operational.js';
import { sweepCommand, Sweeper, sweepHandler, type Sweep } from './sweep.timer.js';

/**
 * Limits on attempts and the removal of expired documents, which several domains use. `sweeps`: the removals of the
 * other domains.
 */
export function attempts({ sweeps }: { sweeps: readonly Sweep[] }): Domain {
  return defineDomain({
    name: 'attempts',
    indexes: attemptIndexes,
    objects: ({ context }) => [new Sweeper(context)],
    timers: ({ context }) => ({ [sweepCommand]: sweepHandler(context, [sweepAttempts, ...sweeps]) }),
  });
}
