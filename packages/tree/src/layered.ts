import { type NewPart, type Part, type Parts } from './part.js';

/** Parts of nothing: what a new tree is laid over. */
export const noParts: Parts = { get: () => Promise.resolve(new Map()) };

/**
 * Parts that are not stored yet over those that are: what `build`, `apply` and `merge` have made can be read and edited
 * before it is written. Asks `parts` only for what is not among the new ones.
 */
export function layered(parts: Parts, newParts: Iterable<NewPart>): Parts {
  return overlaid(parts, new Map([...newParts].map(({ name, part }) => [name, part])));
}

/** Parts at hand over those of a port. */
export const overlaid = (parts: Parts, atHand: ReadonlyMap<string, Part>): Parts => ({
  get: async (names) => {
    const others = names.filter((name) => !atHand.has(name));
    const found = new Map(others.length === 0 ? [] : await parts.get(others));
    for (const name of names) {
      const part = atHand.get(name);
      if (part !== undefined) found.set(name, part);
    }
    return found;
  },
});

/** The same parts behind a cache, so that one call reads each part once. */
export function withPartCache(parts: Parts): Parts {
  const cache = new Map<string, Part>();
  return {
    get: async (names) => {
      const missing = names.filter((name) => !cache.has(name));
      if (missing.length > 0) for (const [name, part] of await parts.get(missing)) cache.set(name, part);
      return cache;
    },
  };
}
