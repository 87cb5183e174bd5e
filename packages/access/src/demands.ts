/** From a moment on (`from`, monotonic ms) a read model has to be as far as `position`. */
export interface Demand {
  readonly position: bigint;
  readonly from: number;
}

/** The demands with one more, sorted by position and by moment; those that others include are left out. */
export function addDemand(demands: readonly Demand[], demand: Demand, now: number): readonly Demand[] {
  const isIncluded = demands.some((other) => includes(other, demand));
  const others = isIncluded ? demands : demands.filter((other) => !includes(demand, other));
  const open = isIncluded ? others : [...others, demand].sort((a, b) => a.from - b.from);
  // Of those that hold already the last asks for most.
  const holding = open.filter(({ from }) => from <= now).length;
  return open.slice(Math.max(0, holding - 1));
}

/** The position that has to be reached by now; `-1n` when there is none. */
export function dueBy(demands: readonly Demand[], now: number): bigint {
  return demands.findLast(({ from }) => from <= now)?.position ?? -1n;
}

/** Whether whoever meets one demand has met the other. */
function includes(one: Demand, other: Demand): boolean {
  return one.position >= other.position && one.from <= other.from;
}
