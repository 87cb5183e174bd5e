import { createHash } from 'node:crypto';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database'>;
type Writing = Pick<Scope, 'database' | 'now'>;

/** The texts of a segment. They stand where they can be removed. */
interface StoredSegment {
  /** `<translation>/<hash>` */
  _id: string;
  translation: string;
  /** What a provider gave. Absent when a person has written before it did. */
  text?: string;
  /** What a person has written. It is used instead. */
  pinned?: string;
  /** The entries of the glossary that its source contains. */
  terms: readonly string[];
  /** Why the latest text of a provider was refused. */
  problems?: readonly string[];
  /** The newest request that the run had to answer that asked a provider for it. */
  request?: number;
  /** When it was last known to be needed, ms. */
  at?: number;
}

/** A text of a segment, and the entries of the glossary that its source contains. */
interface SegmentText {
  text: string;
  terms: readonly string[];
}

/** A text that a provider gave. `request`: the newest one that the run had to answer that asked for it. */
interface GivenText extends SegmentText {
  request: number;
}

/** What the memory has of a segment. */
export interface KnownSegment extends SegmentText {
  isPinned: boolean;
}

/** What a translated text depends on. */
interface SegmentSource {
  language: string;
  /** With the model. */
  provider: string;
  text: string;
}

/** The name of a segment in the memory of a translation. */
export function hashOfSegment({ language, provider, text }: SegmentSource): string {
  return createHash('sha256')
    .update(JSON.stringify([language, provider, text]))
    .digest('hex');
}

export const memoryIndexes = {
  op_translation_segments: [
    { key: { translation: 1, terms: 1 }, name: 'translation_terms' },
    { key: { translation: 1, at: 1 }, name: 'translation_at' },
  ],
} as const;

function memory({ database }: Within): Collection<StoredSegment> {
  return database.collection<StoredSegment>('op_translation_segments');
}

const idOf = (translation: string, hash: string): string => `${translation}/${hash}`;

/** Hashes that are asked for at a time. */
const askedTogether = 1_000;

/** What the memory of a translation has of some segments, by their hashes. */
export async function recall(
  scope: Within,
  translation: string,
  hashes: readonly string[],
): Promise<Map<string, KnownSegment>> {
  const known = new Map<string, KnownSegment>();
  for (let from = 0; from < hashes.length; from += askedTogether) {
    const ids = hashes.slice(from, from + askedTogether).map((hash) => idOf(translation, hash));
    const found = memory(scope).find({ _id: { $in: ids } });
    for await (const { _id, text: given, pinned, terms } of found) {
      const text = pinned ?? given;
      const hash = _id.slice(translation.length + 1);
      if (text !== undefined) known.set(hash, { text, terms, isPinned: pinned !== undefined });
    }
  }
  return known;
}

/** What the memory has of a segment for which a provider was asked. */
interface TriedSegment {
  /** What a provider gave; absent when nothing that it gave could be used. */
  text: string | undefined;
  terms: readonly string[];
  problems: readonly string[];
  request: number;
}

/** What providers gave for some segments, by their hashes; also those for which they gave nothing of use. */
export async function recallTried(
  scope: Within,
  translation: string,
  hashes: readonly string[],
): Promise<Map<string, TriedSegment>> {
  const tried = new Map<string, TriedSegment>();
  for (let from = 0; from < hashes.length; from += askedTogether) {
    const ids = hashes.slice(from, from + askedTogether).map((hash) => idOf(translation, hash));
    for await (const { _id, text, terms, problems = [], request = 0 } of memory(scope).find({ _id: { $in: ids } }))
      if (text !== undefined || problems.length > 0)
        tried.set(_id.slice(translation.length + 1), { text, terms, problems, request });
  }
  return tried;
}

/** Whether the memory of a translation has any text that a provider gave. */
export async function hasText(scope: Within, translation: string): Promise<boolean> {
  const filter = { translation, text: { $exists: true } };
  return (await memory(scope).findOne(filter, { projection: { _id: 1 } })) !== null;
}

/** Keeps that nothing of use was given for segments, and why. A text of before stays. Safe to repeat. */
export async function rememberProblems(
  scope: Writing,
  translation: string,
  refused: ReadonlyMap<string, Omit<TriedSegment, 'text'>>,
): Promise<void> {
  if (refused.size === 0) return;
  await memory(scope).bulkWrite(
    [...refused].map(([hash, { problems, terms, request }]) => ({
      updateOne: {
        filter: { _id: idOf(translation, hash) },
        update: { $set: { translation, problems, terms, request, at: scope.now() } },
        upsert: true,
      },
    })),
    { ordered: false },
  );
}

/** Keeps texts that a provider gave, beside what a person has written. Safe to repeat. */
export async function remember(
  scope: Writing,
  translation: string,
  texts: ReadonlyMap<string, GivenText>,
): Promise<void> {
  if (texts.size === 0) return;
  await memory(scope).bulkWrite(
    [...texts].map(([hash, { text, terms, request }]) => ({
      updateOne: {
        filter: { _id: idOf(translation, hash) },
        update: { $set: { translation, text, terms, request, at: scope.now() }, $unset: { problems: '' } },
        upsert: true,
      },
    })),
    { ordered: false },
  );
}

/** Keeps what a person has written for a segment, until it is dropped. */
export async function keepPinned(
  scope: Within,
  translation: string,
  hash: string,
  { text, terms }: SegmentText,
): Promise<void> {
  const fields = { translation, pinned: text, terms };
  await memory(scope).updateOne({ _id: idOf(translation, hash) }, { $set: fields }, { upsert: true });
}

/** What a provider gave answers no request: it is asked again. */
const unanswered = -1;

/**
 * Drops what a person has written for a segment. What a provider gave is used until it is asked again: runs have left
 * the segment aside, whatever was requested.
 */
export async function dropPinned(scope: Within, translation: string, hash: string): Promise<void> {
  await memory(scope).updateOne(
    { _id: idOf(translation, hash) },
    { $unset: { pinned: '' }, $set: { request: unanswered } },
  );
}

/** The hashes of segments whose sources contain one of these entries of the glossary, except for pinned ones. */
export async function segmentsWithTerms(
  scope: Within,
  translation: string,
  terms: readonly string[],
): Promise<Set<string>> {
  const hashes = new Set<string>();
  const found = memory(scope).find(
    { translation, terms: { $in: [...terms] }, pinned: { $exists: false } },
    { projection: { _id: 1 } },
  );
  for await (const { _id } of found) hashes.add(_id.slice(translation.length + 1));
  return hashes;
}

/** The hashes of segments that were last known to be needed before `time`, ms; the oldest first. */
export async function oldSegments(
  scope: Within,
  translation: string,
  { time, limit }: { time: number; limit: number },
): Promise<string[]> {
  const found = await memory(scope)
    .find({ translation, at: { $lt: time }, pinned: { $exists: false } }, { projection: { _id: 1 } })
    .sort({ at: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id.slice(translation.length + 1));
}

/** Notes that segments are needed now. */
export async function noteNeeded(scope: Writing, translation: string, hashes: readonly string[]): Promise<void> {
  const _id = { $in: hashes.map((hash) => idOf(translation, hash)) };
  if (hashes.length > 0) await memory(scope).updateMany({ _id }, { $set: { at: scope.now() } });
}

/** Forgets segments, but for what a person has written. */
export async function forget(scope: Within, translation: string, hashes: readonly string[]): Promise<void> {
  const _id = { $in: hashes.map((hash) => idOf(translation, hash)) };
  if (hashes.length > 0) await memory(scope).deleteMany({ _id, pinned: { $exists: false } });
}

/** Removes the memory of a translation. */
export async function dropMemory(scope: Within, translation: string): Promise<void> {
  await memory(scope).deleteMany({ translation });
}
