import { addCounts, countChanges, noCounts, type ClusterCounts, type IssuePlace } from '@scriptorium/clustering';
import type { CountChange } from './cluster.events.js';

/** Where an issue stands, with the id of its cluster. */
export interface Place extends Omit<IssuePlace, 'cluster'> {
  cluster: string | null;
}

/**
 * What changes in the counts of clusters when issues of conversations stand elsewhere. `before` and `after`: all issues
 * of these conversations, by conversation.
 */
export function changedCounts(
  before: ReadonlyMap<string, readonly Place[]>,
  after: ReadonlyMap<string, readonly Place[]>,
): CountChange[] {
  const names = new Names();
  const sums = new Map<number, ClusterCounts>();
  for (const conversation of new Set([...before.keys(), ...after.keys()])) {
    const places = [before, after].map((side) => names.places(side.get(conversation) ?? []));
    for (const [cluster, change] of countChanges(places[0] ?? [], places[1] ?? []))
      sums.set(cluster, addCounts(sums.get(cluster) ?? noCounts, change));
  }
  return [...sums].map(([cluster, change]) => ({ cluster: names.nameOf(cluster), ...change }));
}

/** Numbers for ids: the counting knows clusters by number. */
class Names {
  readonly #numbers = new Map<string, number>();
  readonly #ids: string[] = [];

  places(places: readonly Place[]): IssuePlace[] {
    return places.map((place) => ({
      ...place,
      cluster: place.cluster === null ? undefined : this.#numberOf(place.cluster),
    }));
  }

  nameOf(number: number): string {
    return this.#ids[number] ?? '';
  }

  #numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    this.#ids.push(id);
    this.#numbers.set(id, this.#ids.length - 1);
    return this.#ids.length - 1;
  }
}
