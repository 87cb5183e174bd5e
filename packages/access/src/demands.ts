/** From the moment `from` (monotonic ms) on, a read model has to have reached `position`. */
export interface Demand {
  readonly position: bigint;
  readonly from: number;
}

/** Adds a demand to a list that is sorted by position and by moment. Demands that others include are dropped. */
export function addDemand(demands: readonly Demand[], demand: Demand, now: number): readonly Demand[] {
  const isIncluded = demands.some((other) => includes(other, demand));
  const others = isIncluded ? demands : demands.filter((other) => !includes(demand, other));
  const open = isIncluded ? others : [...others, demand].sort((a, b) => a.from - b.from);
  // Of the demands in force, the last one has the highest position.
  const holding = open.filter(({ from }) => from <= now).length;
  return open.slice(Math.max(0, holding - 1));
}

/** The position that has to be reached now, or `-1n`. */
export function dueBy(demands: readonly Demand[], now: number): bigint {
  return demands.findLast(({ from }) => from <= now)?.position ?? -1n;
}

/** Whether meeting the first demand also meets the second. */
function includes(one: Demand, other: Demand): boolean {
  return one.position >= other.position && one.from <= other.from;
}
