import { addTo } from '../model/append.js';
import { WHOLE_OF } from '../model/content.js';
import { followersOf, runsOf } from './order.js';
import { ownerOf, type TreeIndex } from './tree-index.js';

/** The place of each block of the result, by its key. */
export type Places = Map<string, string>;

/**
 * The keys at each place in the order of one side. A container that the side does not have stands where the side has
 * the first block in it. A block whose container is gone stands where the container was. A block that the other side
 * moved into another container of this side is left out: it is an addition there.
 */
export function readingOrder({ entries }: TreeIndex, places: Places): Map<string, string[]> {
  const out = new Map<string, string[]>();
  const seen = new Set<string>();
  const add = (key: string, place: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    addTo(out, place, key);
  };
  const isGone = (owner: string): boolean => owner !== '' && !places.has(owner);
  const isNew = (owner: string): boolean => owner !== '' && !entries.has(owner);
  for (const [key, { parent }] of entries) {
    const place = places.get(key);
    if (place === undefined) continue;
    if (place === parent || isNew(ownerOf(place)) || isGone(ownerOf(parent))) add(key, place);
    for (let owner = ownerOf(place); isNew(owner) && places.has(owner); owner = ownerOf(places.get(owner) ?? ''))
      add(owner, places.get(owner) ?? '');
  }
  return out;
}

/**
 * Puts additions of one side into a new container of the other side if that container took both their neighbours. List
 * items and lines of code cannot stand alone, so at the end of a list it is enough that the container took the
 * neighbour before them.
 */
export function follow({ entries, children }: TreeIndex, base: TreeIndex, places: Places): void {
  const wasThere = (key: string): boolean => base.entries.has(key);
  const isPart = (key: string): boolean => WHOLE_OF.has(entries.get(key)?.block.type ?? '');
  for (const [place, list] of children) {
    const goes = (key: string): string | undefined => {
      const to = wasThere(key) ? places.get(key) : undefined;
      return to !== undefined && to !== place && ownerOf(to) !== '' && !entries.has(ownerOf(to)) ? to : undefined;
    };
    const followers = followersOf(list.filter(wasThere));
    for (const [before, run] of runsOf(list, wasThere)) {
      const [to, after] = [goes(before), followers.get(before)];
      if (to === undefined || (after !== undefined && goes(after) !== to)) continue;
      for (const key of run) if (places.get(key) === place && (after !== undefined || isPart(key))) places.set(key, to);
    }
  }
}
