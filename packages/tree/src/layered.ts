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

/** Parts that are read once: for one call, so that it need not pass on what it has read. */
export function remembering(parts: Parts): Parts {
  const read = new Map<string, Part>();
  return {
    get: async (names) => {
      const missing = names.filter((name) => !read.has(name));
      if (missing.length > 0) for (const [name, part] of await parts.get(missing)) read.set(name, part);
      return read;
    },
  };
}
