import { inflated, indexOf, type PackIndex, type Slice } from './pack-format.js';
import type { CompleteOperation } from './operations.js';

/** A pack that is open: its index is read, slices are when they are asked for. */
export interface Pack {
  bytes: Uint8Array;
  index: PackIndex;
  operations: ReadonlyMap<string, Slice>;
  webhooks: ReadonlyMap<string, Slice>;
  schemas: ReadonlyMap<string, number>;
}

/** An operation with all schemas that it reaches: by name, and with references among them as they are. */
export interface OperationSlice extends CompleteOperation {
  schemas: Readonly<Record<string, unknown>>;
}

/** @throws RangeError for bytes that are no pack */
export function openPack(bytes: Uint8Array): Pack {
  const index = indexOf(bytes);
  return {
    bytes,
    index,
    operations: new Map(index.operations.map((slice) => [slice.name, slice])),
    webhooks: new Map(index.webhooks.map((slice) => [slice.name, slice])),
    schemas: new Map(index.schemas.map(({ name }, place) => [name, place])),
  };
}

/** An operation, by its method in any case and its path as the specification writes it; `null` when there is none. */
export function operationOf(pack: Pack, method: string, path: string): OperationSlice | null {
  return whole(pack, pack.operations.get(`${method.toLowerCase()} ${path}`));
}

/** The operation of a webhook; without a method its first one. */
export function webhookOf(pack: Pack, name: string, method?: string): OperationSlice | null {
  if (method !== undefined) return whole(pack, pack.webhooks.get(`${method.toLowerCase()} ${name}`));
  return whole(
    pack,
    pack.index.webhooks.find((slice) => slice.name.slice(slice.name.indexOf(' ') + 1) === name),
  );
}

/** Schemas by name with those that they reach; `null` when none of the names is there. */
export function schemasOf(pack: Pack, names: readonly string[]): Record<string, unknown> | null {
  const places = names.map((name) => pack.schemas.get(name)).filter((place) => place !== undefined);
  return places.length === 0 ? null : reachedFrom(pack, places);
}

function whole(pack: Pack, slice: Slice | undefined): OperationSlice | null {
  if (slice === undefined) return null;
  return { ...(valueOf(pack, slice) as CompleteOperation), schemas: reachedFrom(pack, slice.schemas) };
}

function reachedFrom(pack: Pack, places: readonly number[]): Record<string, unknown> {
  const found = new Set<number>();
  const rest = [...places];
  for (let place = rest.pop(); place !== undefined; place = rest.pop()) {
    if (found.has(place)) continue;
    found.add(place);
    rest.push(...(pack.index.schemas[place]?.schemas ?? []));
  }
  const slices = [...found].sort((a, b) => a - b).flatMap((place) => pack.index.schemas[place] ?? []);
  // Names are data of a specification; `fromEntries` defines members, whatever they are called.
  return Object.fromEntries(slices.map((slice) => [slice.name, valueOf(pack, slice)]));
}

/** What a slice holds. */
export function valueOf(pack: Pack, { offset, length }: Slice): unknown {
  return inflated(pack.bytes.subarray(offset, offset + length));
}
