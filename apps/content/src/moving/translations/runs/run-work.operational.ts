import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import { addUsage, noUsage, type TranslationUsage } from '../providers/provider.js';

type Within = Pick<Scope, 'database'>;

/** Pages and reusable contents that a run reads together. */
export interface Chunk {
  /** Their keys in the tree of the source. */
  keys: readonly string[];
  /** Segments whose text was known already, and words of the others. */
  reused: number;
  words: number;
  /** Segments for which the source stands in the result. */
  kept: number;
  /** What they are in the result, as JSON. */
  built: readonly BuiltRecord[];
  isBuilt: boolean;
}

/** A page or reusable content of the result. */
export interface BuiltRecord {
  key: string;
  json: string;
}

/** A segment that a provider is asked for. */
export interface AskedSegment {
  /** Its name in the memory. */
  hash: string;
  text: string;
  /** The entries of the glossary that it contains. */
  terms: readonly string[];
  /** The earliest request whose answer counts. */
  since: number;
  /** The most characters that fit in its place, if that is a title or a description. */
  most?: number;
}

/** Segments that a provider is asked for at once. */
export interface Batch {
  segments: readonly AskedSegment[];
  headings: readonly string[];
  usage: TranslationUsage;
  translated: number;
}

interface Part {
  /** `<run>/<number>` */
  _id: string;
  run: string;
  translation: string;
}

/** A run, and the translation that it belongs to. */
export interface RunOfTranslation {
  run: string;
  translation: string;
}

const indexes = [
  { key: { translation: 1 }, name: 'translation' },
  { key: { run: 1 }, name: 'run' },
] as const;
export const runWorkIndexes = { op_translation_chunks: indexes, op_translation_batches: indexes } as const;

function chunks({ database }: Within): Collection<Chunk & Part> {
  return database.collection<Chunk & Part>('op_translation_chunks');
}

function batches({ database }: Within): Collection<Batch & Part> {
  return database.collection<Batch & Part>('op_translation_batches');
}

const idOf = (run: string, n: number): string => `${run}/${String(n).padStart(6, '0')}`;

/** Stores chunks of a run, in the place of those of the same numbers. Safe to repeat. */
export async function putChunks(
  scope: Within,
  of: RunOfTranslation,
  planned: ReadonlyArray<readonly string[]>,
): Promise<void> {
  if (planned.length === 0) return;
  const all = planned.map((keys, n) => {
    const replacement = { ...of, keys, reused: 0, words: 0, kept: 0, built: [], isBuilt: false };
    return { replaceOne: { filter: { _id: idOf(of.run, n) }, replacement, upsert: true } };
  });
  await chunks(scope).bulkWrite(all, { ordered: false });
}

/** A chunk of a run; `null` when it is gone. */
export function findChunk(scope: Within, { run }: RunOfTranslation, n: number): Promise<Chunk | null> {
  return chunks(scope).findOne({ _id: idOf(run, n) });
}

export async function changeChunk(
  scope: Within,
  { run }: RunOfTranslation,
  n: number,
  fields: Partial<Chunk>,
): Promise<void> {
  await chunks(scope).updateOne({ _id: idOf(run, n) }, { $set: fields });
}

/** The chunks of a run, in their order. */
export async function* chunksOf(scope: Within, { run }: RunOfTranslation): AsyncGenerator<Chunk> {
  yield* chunks(scope).find({ run }).sort({ _id: 1 });
}

/** Stores batches of a run, numbered from `first` on. Safe to repeat. */
export async function putBatches(
  scope: Within,
  of: RunOfTranslation,
  first: number,
  added: ReadonlyArray<Omit<Batch, 'usage' | 'translated'>>,
): Promise<void> {
  if (added.length === 0) return;
  const all = added.map((batch, i) => {
    const replacement = { ...of, ...batch, usage: noUsage, translated: 0 };
    return { replaceOne: { filter: { _id: idOf(of.run, first + i) }, replacement, upsert: true } };
  });
  await batches(scope).bulkWrite(all, { ordered: false });
}

/** A batch of a run; `null` when it is gone. */
export function findBatch(scope: Within, { run }: RunOfTranslation, n: number): Promise<Batch | null> {
  return batches(scope).findOne({ _id: idOf(run, n) });
}

/** Adds to what a batch has come to. */
export async function noteBatch(
  scope: Within,
  { run }: RunOfTranslation,
  n: number,
  { usage, translated }: Pick<Batch, 'usage' | 'translated'>,
): Promise<void> {
  const { characters, promptTokens, completionTokens } = usage;
  const used = {
    'usage.characters': characters,
    'usage.promptTokens': promptTokens,
    'usage.completionTokens': completionTokens,
  };
  await batches(scope).updateOne({ _id: idOf(run, n) }, { $inc: { ...used, translated } });
}

/** How many chunks of a run are built. */
export function countBuilt(scope: Within, { run }: RunOfTranslation): Promise<number> {
  return chunks(scope).countDocuments({ run, isBuilt: true });
}

/** What the batches of a run have come to. */
export async function usageOfRun(
  scope: Within,
  { run }: Pick<RunOfTranslation, 'run'>,
): Promise<Pick<Batch, 'usage' | 'translated'>> {
  let sum = { usage: noUsage, translated: 0 };
  for await (const { usage, translated } of batches(scope).find({ run }, { projection: { usage: 1, translated: 1 } }))
    sum = { usage: addUsage(sum.usage, usage), translated: sum.translated + translated };
  return sum;
}

/** Removes the work of a run, or of all runs of a translation. Safe to repeat. */
export async function dropWork(scope: Within, of: { run: string } | { translation: string }): Promise<void> {
  await chunks(scope).deleteMany(of);
  await batches(scope).deleteMany(of);
}
