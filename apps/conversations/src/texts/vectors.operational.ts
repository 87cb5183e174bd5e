import type { Scope } from '@scriptorium/platform';
import { Binary } from 'mongodb';
import { keyOf, textDocuments, type TextPart } from './texts.operational.js';

const batchSize = 500;

/**
 * Stores vectors in the documents of the texts that they were made of, so that they are deleted with them. Where a text
 * is gone, nothing is stored. `version`: vectors of one version compare.
 */
export async function storeVectors(
  scope: Pick<Scope, 'database'>,
  version: string,
  vectors: readonly { part: TextPart; values: Float32Array }[],
): Promise<void> {
  if (vectors.length === 0) return;
  await textDocuments(scope).bulkWrite(
    vectors.map(({ part, values }) => ({
      updateOne: { filter: { _id: keyOf(part) }, update: { $set: { vector: { version, values: binaryOf(values) } } } },
    })),
    { ordered: false },
  );
}

/** The vectors of texts in a version, in the order of the texts; `undefined` for one that has none. */
export async function findVectors(
  scope: Pick<Scope, 'database'>,
  version: string,
  parts: readonly TextPart[],
): Promise<(Float32Array | undefined)[]> {
  const found = new Map<string, Float32Array>();
  const keys = parts.map(keyOf);
  for (let start = 0; start < keys.length; start += batchSize) {
    const filter = { _id: { $in: keys.slice(start, start + batchSize) }, 'vector.version': version };
    for await (const { _id, vector } of textDocuments(scope).find(filter, { projection: { vector: 1 } }))
      if (vector !== undefined) found.set(_id, numbersOf(vector.values));
  }
  return keys.map((key) => found.get(key));
}

/** Numbers as they are stored. */
export function binaryOf(values: Float32Array): Binary {
  return new Binary(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

/** Numbers that were stored. */
export function numbersOf(values: Binary): Float32Array {
  return new Float32Array(Uint8Array.from(values.value()).buffer);
}
