import { inflated, indexOf } from './pack-format.js';
import { directoryOf, slicesFor, type PackDirectory, type PartSlices } from './pack-directory.js';
import type { Slice } from './pack-format.js';
import type { CompleteOperation } from './operations.js';

/** A pack that is open: its index is read, slices are when they are asked for. */
export interface Pack extends PackDirectory {
  bytes: Uint8Array;
}

/** An operation with all schemas that it reaches: by name, and with references among them as they are. */
export interface OperationSlice extends CompleteOperation {
  schemas: Readonly<Record<string, unknown>>;
}

/** @throws RangeError for bytes that are no pack */
export function openPack(bytes: Uint8Array): Pack {
  return { bytes, ...directoryOf(indexOf(bytes)) };
}

/** An operation, by its method in any case and its path as the specification writes it; `null` when there is none. */
export function operationOf(pack: Pack, method: string, path: string): OperationSlice | null {
  return whole(pack, slicesFor(pack, { method, path }));
}

/** The operation of a webhook; without a method its first one. */
export function webhookOf(pack: Pack, name: string, method?: string): OperationSlice | null {
  return whole(pack, slicesFor(pack, { webhook: name, ...(method !== undefined && { method }) }));
}

/** Schemas by name with those that they reach; `null` when none of the names is there. */
export function schemasOf(pack: Pack, names: readonly string[]): Record<string, unknown> | null {
  const found = slicesFor(pack, { schemas: names });
  return found === null ? null : valuesOf(pack, found.schemas);
}

function whole(pack: Pack, found: PartSlices | null): OperationSlice | null {
  if (found?.own === undefined) return null;
  return { ...(valueOf(pack, found.own) as CompleteOperation), schemas: valuesOf(pack, found.schemas) };
}

function valuesOf(pack: Pack, slices: readonly Slice[]): Record<string, unknown> {
  // Names are data of a specification; `fromEntries` defines members, whatever they are called.
  return Object.fromEntries(slices.map((slice) => [slice.name, valueOf(pack, slice)]));
}

/** What a slice holds. */
export function valueOf(pack: Pick<Pack, 'bytes'>, { offset, length }: Slice): unknown {
  return inflated(pack.bytes.subarray(offset, offset + length));
}
