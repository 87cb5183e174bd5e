import { defineDomain, type Domain } from '@scriptorium/platform';
import { attemptIndexes, sweepAttempts } from './attempts.operational.js';
import { sweepCommand, Sweeper, sweepHandler, type Sweep } from './sweep.timer.js';

/** What several domains use to limit how often something is tried, and to remove what has expired. `sweeps`: those of the domains. */
export function shared({ sweeps }: { sweeps: readonly Sweep[] }): Domain {
  return defineDomain({
    name: 'shared',
    indexes: attemptIndexes,
    objects: ({ context }) => [new Sweeper(context)],
    timers: ({ context }) => ({ [sweepCommand]: sweepHandler(context, [sweepAttempts, ...sweeps]) }),
  });
}
