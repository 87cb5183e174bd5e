type Path = readonly (string | number)[];

/** In characters of JSON. */
interface Lengths {
  longest: number;
  /** For examples that cannot be made as short. */
  longestAtAll?: number;
}

/**
 * A shorter example, without as many of its longest properties as it takes to have at most `longest` characters of
 * JSON. Resources within it become references where these may stand. `isValid`: whether what is left may stand.
 * Undefined if it cannot be made as short as `longestAtAll`.
 */
export function shorten(
  given: unknown,
  { longest, longestAtAll = longest }: Lengths,
  isValid: (example: unknown) => boolean,
): unknown {
  let example = given;
  while (lengthOf(example) > longest) {
    const shorter = pathsOf(example)
      .flatMap((path) => changesAt(example, path))
      .sort((a, b) => b.saved - a.saved)
      .map((shorter) => shorter.made())
      .find(isValid);
    if (shorter === undefined) return lengthOf(example) > longestAtAll ? undefined : example;
    example = shorter;
  }
  return example;
}

/** Characters of JSON. */
export function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}

interface Change {
  /** Characters of JSON. */
  saved: number;
  made(): unknown;
}

/** What can be done at a place: the property can be left out, or a resource can become a reference. */
function changesAt(example: unknown, path: Path): Change[] {
  const present = at(example, path);
  const omission = { saved: lengthOf(present), made: () => changed(example, path, undefined) };
  const { object, id } = (present ?? {}) as { object?: unknown; id?: unknown };
  if (object === undefined || id === undefined) return [omission];
  const reference = { object, id };
  const saved = lengthOf(present) - lengthOf(reference);
  return [omission, ...(saved > 0 ? [{ saved, made: () => changed(example, path, reference) }] : [])];
}

/** The places of all properties. */
function pathsOf(node: unknown, above: Path = []): Path[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((item, i) => pathsOf(item, [...above, i]));
  return Object.entries(node).flatMap(([name, value]) => [[...above, name], ...pathsOf(value, [...above, name])]);
}

function at(node: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, part) => (inner as Record<string | number, unknown>)[part], node);
}

/** The example with another value at a place; without the property if it is undefined. */
function changed(node: unknown, [first, ...rest]: Path, value: unknown): unknown {
  const put = (inner: unknown): unknown => (rest.length === 0 ? value : changed(inner, rest, value));
  if (Array.isArray(node)) return node.map((item, i) => (i === first ? put(item) : (item as unknown)));
  return Object.fromEntries(
    Object.entries(node as object).flatMap(([name, present]) => {
      const next = name === first ? put(present) : (present as unknown);
      return next === undefined ? [] : [[name, next]];
    }),
  );
}
