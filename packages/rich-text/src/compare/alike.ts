import { append } from '../model/append.js';
import { type Fragment, type Inline, type Node } from '../model/types.js';
import { counted } from './work.js';

/** The words of a node, for judging how alike two nodes are. */
export function wordsOf(node: Node | Fragment | Inline): string[] {
  const out: string[] = [];
  const add = (each: Node | Fragment): void => {
    if (each.object === 'text')
      for (const leaf of each.leaves) append(out, leaf.text.match(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu) ?? []);
    else {
      if (each.object !== 'fragment')
        for (const value of Object.values(each.data)) if (typeof value === 'string') out.push(value);
      for (const child of each.nodes ?? []) add(child);
      if (each.object !== 'fragment') for (const part of each.fragments ?? []) add(part);
    }
  };
  add(node);
  return out;
}

/** Words with how often they occur. */
export type Bag = { counts: ReadonlyMap<string, number>; size: number };

export function bagOf(words: readonly string[]): Bag {
  return { counts: counted(words), size: words.length };
}

/** Shared words over all words, 0 to 1 (Dice). */
export function similarity(a: Bag, b: Bag): number {
  if (a.size === 0 || b.size === 0) return a.size === b.size ? 1 : 0;
  const [few, many] = a.counts.size <= b.counts.size ? [a.counts, b.counts] : [b.counts, a.counts];
  let shared = 0;
  for (const [word, count] of few) shared += Math.min(count, many.get(word) ?? 0);
  return (2 * shared) / (a.size + b.size);
}
