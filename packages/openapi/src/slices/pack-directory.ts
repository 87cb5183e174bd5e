import { directoryRange, inflated, inflatedText, type PackIndex, type Slice } from './pack-format.js';

/** What a pack has, by names, without the slices themselves. */
export interface PackDirectory {
  index: PackIndex;
  operations: ReadonlyMap<string, Slice>;
  webhooks: ReadonlyMap<string, Slice>;
  schemas: ReadonlyMap<string, number>;
}

/** A part of a specification that somebody shows. The method of a webhook is its first one unless given. */
export type SpecificationPart =
  { method: string; path: string } | { webhook: string; method?: string } | { schemas: readonly string[] };

/** Where a part stands in a pack: the operation itself, and the schemas that it reaches. */
export interface PartSlices {
  own?: Slice;
  schemas: Slice[];
}

export function directoryOf(index: PackIndex): PackDirectory {
  return {
    index,
    operations: new Map(index.operations.map((slice) => [slice.name, slice])),
    webhooks: new Map(index.webhooks.map((slice) => [slice.name, slice])),
    schemas: new Map(index.schemas.map(({ name }, place) => [name, place])),
  };
}

/**
 * The directory of a pack that is read by ranges. `read` gives the bytes from `start` to `end`, without that at `end`.
 * @param size bytes of the whole pack
 * @throws RangeError for bytes that are no pack
 */
export async function readDirectory(
  size: number,
  read: (range: { start: number; end: number }) => Promise<Uint8Array>,
): Promise<PackDirectory> {
  // Most indexes are shorter than this, and then read with what says where they begin.
  const start = Math.max(0, size - 64 * 1024);
  const tail = await read({ start, end: size });
  const range = directoryRange(tail, size);
  const bytes = range.start >= start ? tail.subarray(range.start - start, range.end - start) : await read(range);
  return directoryOf(inflated(bytes) as PackIndex);
}

/** The slices of a part; `null` when the specification does not have it: no operation, or none of the schemas. */
export function slicesFor(directory: PackDirectory, part: SpecificationPart): PartSlices | null {
  if ('schemas' in part) {
    const places = part.schemas.flatMap((name) => directory.schemas.get(name) ?? []);
    return places.length === 0 ? null : { schemas: reachedFrom(directory, places) };
  }
  const own =
    'path' in part ? directory.operations.get(`${part.method.toLowerCase()} ${part.path}`) : webhook(directory, part);
  return own === undefined ? null : { own, schemas: reachedFrom(directory, own.schemas) };
}

/** Whether a specification has all of a part. */
export function hasPart(directory: PackDirectory, part: SpecificationPart): boolean {
  if ('schemas' in part) return part.schemas.every((name) => directory.schemas.has(name));
  return slicesFor(directory, part) !== null;
}

function webhook(
  { webhooks, index }: PackDirectory,
  { webhook: name, method }: { webhook: string; method?: string },
): Slice | undefined {
  if (method !== undefined) return webhooks.get(`${method.toLowerCase()} ${name}`);
  return index.webhooks.find((slice) => slice.name.slice(slice.name.indexOf(' ') + 1) === name);
}

function reachedFrom({ index }: PackDirectory, places: readonly number[]): Slice[] {
  const found = new Set<number>();
  const rest = [...places];
  for (let place = rest.pop(); place !== undefined; place = rest.pop()) {
    if (found.has(place)) continue;
    found.add(place);
    rest.push(...(index.schemas[place]?.schemas ?? []));
  }
  return [...found].sort((a, b) => a - b).flatMap((place) => index.schemas[place] ?? []);
}

/** What the bytes of a slice hold, and how long it is as JSON. */
export function readSlice(bytes: Uint8Array): { value: unknown; length: number } {
  const text = inflatedText(bytes);
  return { value: JSON.parse(text), length: text.length };
}
