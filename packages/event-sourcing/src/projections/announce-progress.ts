import { type HeldLease } from '../leases/consumers.js';
import { type Engine, type Member } from './engine.js';
import { type ProjectionStatus } from './progress.js';

const laterMs = 20;

/** Announces how far these projections are, as soon as their documents are written. The checkpoint follows later. */
export function announceProgress({ parts }: Engine, members: readonly Member[]): void {
  const byPosition = new Map<bigint, (HeldLease & ProjectionStatus)[]>();
  for (const { lease, at, state, changed } of members)
    byPosition.set(at, [...(byPosition.get(at) ?? []), { ...lease, state, changed }]);
  for (const [at, of] of byPosition) parts.progress.announce({ at, of });
  parts.checkpoints.note(members);
}

/**
 * Gathers members and announces them as one batch, at most every 20 ms. Members that have left meanwhile are left out.
 */
export function announceInBatches(engine: Engine): (members: readonly Member[]) => void {
  const gathered = new Set<Member>();
  let timer: NodeJS.Timeout | undefined;
  const announceGathered = (): void => {
    timer = undefined;
    const present = [...gathered].filter((member) => engine.members.get(member.lease.name) === member);
    gathered.clear();
    announceProgress(engine, present);
  };
  return (members) => {
    for (const member of members) gathered.add(member);
    if (gathered.size > 0) timer ??= setTimeout(announceGathered, laterMs);
  };
}
