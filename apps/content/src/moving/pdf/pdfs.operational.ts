import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';
import type { Wish } from './wish.js';

type Within = Pick<Scope, 'database'>;

/** A PDF that is laid out. */
export interface MadePdf {
  hash: string;
  /** Bytes. */
  size: number;
  sheets: number;
  isAccessible: boolean;
  missingScripts: readonly string[];
  /** Ids of users that it may name; `*` for more than are told. */
  people?: readonly string[];
}

/** Why one could not be made. */
export interface PdfFailure {
  reason: 'limit_reached' | 'not_found' | 'unavailable' | 'unexpected';
  message: string;
  /** When, in ms. */
  at: number;
}

/** Stands for all people where a PDF names too many. */
const everybody = '*';
const mostPeople = 1_000;

/** The people of a PDF, as they are kept. */
export function keptPeople(people: readonly string[]): readonly string[] {
  return people.length > mostPeople ? [everybody] : people;
}

/** A PDF that somebody has asked for. It goes a day after it was used last. */
interface PdfDocument {
  /** The key. */
  _id: string;
  organization: string;
  space: string;
  /** As JSON: claims of visitors may have names that a database takes for something else. */
  wish: string;
  /** When it was last used, in ms. */
  at: number;
  made?: MadePdf;
  failure?: PdfFailure;
}

export const pdfIndexes = {
  op_pdfs: [
    { key: { at: 1 }, name: 'at' },
    { key: { space: 1 }, name: 'space' },
  ],
} as const;

function pdfs({ database }: Within): Collection<PdfDocument> {
  return database.collection<PdfDocument>('op_pdfs');
}

/** Notes that a PDF was asked for. */
export async function notePdf(scope: Within, key: string, wish: Wish, now: number): Promise<void> {
  const { organization, space } = wish;
  await pdfs(scope).updateOne(
    { _id: key },
    { $setOnInsert: { organization, space, wish: JSON.stringify(wish) }, $max: { at: now } },
    { upsert: true },
  );
}

export async function findPdf(scope: Within, key: string): Promise<PdfDocument | undefined> {
  return (await pdfs(scope).findOne({ _id: key })) ?? undefined;
}

export async function usePdf(scope: Within, key: string, now: number): Promise<void> {
  await pdfs(scope).updateOne({ _id: key }, { $max: { at: now } });
}

/** Notes that a PDF is there. @returns whether it was still wanted */
export async function noteMade(scope: Within, key: string, made: MadePdf): Promise<boolean> {
  const { matchedCount } = await pdfs(scope).updateOne({ _id: key }, { $set: { made }, $unset: { failure: '' } });
  return matchedCount === 1;
}

export async function noteFailure(scope: Within, key: string, failure: PdfFailure): Promise<void> {
  await pdfs(scope).updateOne({ _id: key, made: { $exists: false } }, { $set: { failure } });
}

/** The bytes of a PDF are gone: it is made again when it is fetched. */
export async function forgetMade(scope: Within, key: string): Promise<void> {
  await pdfs(scope).updateOne({ _id: key }, { $unset: { made: '' } });
}

/** PDFs that nobody has used since a moment (ms). */
export function unusedPdfs(scope: Within, before: number, limit: number): Promise<PdfDocument[]> {
  return pdfs(scope)
    .find({ at: { $lt: before } })
    .sort({ at: 1 })
    .limit(limit)
    .toArray();
}

/** When the PDF was used last that was used longest ago, in ms. */
export async function longestUnused(scope: Within): Promise<number | undefined> {
  const first = await pdfs(scope).findOne({}, { sort: { at: 1 }, projection: { at: 1 } });
  return first?.at;
}

/** Those with bytes, from the one on that was used longest ago. */
export function oldestPdfs(scope: Within, limit: number): Promise<PdfDocument[]> {
  return pdfs(scope)
    .find({ made: { $exists: true } })
    .sort({ at: 1 })
    .limit(limit)
    .toArray();
}

/** Those with bytes that may name a person. */
export function pdfsNaming(scope: Within, user: string, limit: number): Promise<PdfDocument[]> {
  return pdfs(scope)
    .find({ 'made.people': { $in: [user, everybody] } })
    .limit(limit)
    .toArray();
}

/** The bytes of all PDFs. */
export async function bytesOfPdfs(scope: Within): Promise<number> {
  const [sum] = await pdfs(scope)
    .aggregate<{ bytes: number }>([
      { $match: { made: { $exists: true } } },
      { $group: { _id: null, bytes: { $sum: '$made.size' } } },
    ])
    .toArray();
  return sum?.bytes ?? 0;
}

/** Whether other PDFs of a space have the same bytes. */
export async function hasSameBytes(scope: Within, space: string, hash: string): Promise<boolean> {
  return (await pdfs(scope).findOne({ space, 'made.hash': hash }, { projection: { _id: 1 } })) !== null;
}

export async function dropPdf(scope: Within, key: string, before: number): Promise<boolean> {
  return (await pdfs(scope).deleteOne({ _id: key, at: { $lt: before } })).deletedCount === 1;
}

export async function dropPdfsOf(scope: Within, space: string): Promise<void> {
  await pdfs(scope).deleteMany({ space });
}
