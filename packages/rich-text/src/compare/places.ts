import { addTo } from '../model/append.js';
import { WHOLE_OF } from '../model/content.js';
import { followersOf, runsOf } from './order.js';
import { ownerOf, type TreeIndex } from './tree-index.js';

/** Where each block of the result is. */
export type Places = Map<string, string>;

/**
 * The members of each place in the order in which one side reads them. A container that the side does not have stands
 * for what it holds, and what came out of one that is gone stands where that was; what one side alone moved between
 * containers is an addition to the other place.
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
 * Additions of one side go with what they stand between, where the other side put that into a container of its own:
 * both neighbours, or, for an item or a line, which is nothing outside of its whole, the one before it at the end.
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
