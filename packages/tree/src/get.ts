import { type Json } from './json.js';
import { type Entry, type Parts } from './part.js';
import { childSpans, distribute, entriesOf, readParts, readRoot, type Search } from './spans.js';

/** The value of a key, or `undefined`. Reads one part a level. Throws `TreeError` (`part_missing`, `part_invalid`). */
export async function get(parts: Parts, root: string, key: string): Promise<Json | undefined> {
  return (await getMany(parts, root, [key])).get(key);
}

/**
 * The values of those keys that are there, in the order of keys. Reads only parts on the way to them, all of a level in
 * one batch. Throws `TreeError` (`part_missing`, `part_invalid`).
 */
export async function getMany(parts: Parts, root: string, keys: Iterable<string>): Promise<Map<string, Json>> {
  const top = await readRoot(parts, root);
  const wanted = [...new Set(keys)].sort();
  if (top === undefined) return new Map();
  let searches: Search[] = [{ span: top.span, keys: wanted }];
  let read = [top.part];
  for (let level = top.span.level; level > 0; level--) {
    searches = searches.flatMap(({ span, keys: sought }, at) => {
      const part = read[at];
      return part === undefined ? [] : distribute(childSpans(span, part), sought);
    });
    read = await readParts(
      parts,
      searches.map(({ span }) => span.name),
    );
  }
  const found = searches.flatMap(({ span, keys: sought }, at) => {
    const part = read[at];
    return part === undefined ? [] : pick(entriesOf(span, part), sought);
  });
  return new Map(found);
}

function pick(entries: readonly Entry[], keys: readonly string[]): Entry[] {
  const wanted = new Set(keys);
  return entries.filter(([key]) => wanted.has(key));
}
