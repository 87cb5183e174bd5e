import { isSeparate } from '../model/content.js';
import { ownerOf, type TreeIndex } from './tree-index.js';

/** Where each block of the result is. */
export type Places = Map<string, string>;

/**
 * The members of each place in the order in which one side reads them. A container that the side does not have stands for what it holds, and
 * what came out of one that is gone stands where that was; what one side alone moved between containers is an addition to the other place.
 */
export function readingOrder({ entries }: TreeIndex, places: Places): Map<string, string[]> {
  const out = new Map<string, string[]>();
  const seen = new Set<string>();
  const add = (key: string, place: string): void => {
    if (seen.has(key)) return;
    seen.add(key);
    const list = out.get(place);
    if (list) list.push(key);
    else out.set(place, [key]);
  };
  const isGone = (owner: string): boolean => owner !== '' && !places.has(owner);
  const isNew = (owner: string): boolean => owner !== '' && !entries.has(owner);
  for (const [key, { parent }] of entries) {
    const place = places.get(key);
    if (place === undefined) continue;
    if (place === parent || isNew(ownerOf(place)) || isGone(ownerOf(parent))) add(key, place);
    for (let owner = ownerOf(place); isNew(owner) && places.has(owner); owner = ownerOf(places.get(owner) ?? '')) add(owner, places.get(owner) ?? '');
  }
  return out;
}

/**
 * Additions of one side go with what they stand between, where the other side put that into a container of its own: both neighbours, or,
 * for an item or a line, which is nothing outside of its whole, the one before it at the end.
 */
export function follow({ entries, children }: TreeIndex, base: TreeIndex, places: Places): void {
  for (const [place, list] of children) {
    const goes = (key: string | undefined): string | undefined => {
      const to = key !== undefined && base.entries.has(key) ? places.get(key) : undefined;
      return to !== undefined && to !== place && ownerOf(to) !== '' && !entries.has(ownerOf(to)) ? to : undefined;
    };
    let before: string | undefined;
    list.forEach((key, at) => {
      if (base.entries.has(key)) before = key;
      else if (places.get(key) === place) {
        const to = goes(before);
        const after = list.slice(at + 1).find((each) => base.entries.has(each));
        const isPart = isSeparate(entries.get(key)?.block ?? { type: '' }) || entries.get(key)?.block.type === 'code-line';
        if (to !== undefined && (after === undefined ? isPart : goes(after) === to)) places.set(key, to);
      }
    });
  }
}
