import { createHash } from 'node:crypto';
import type { TranslationSegment } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { Collection, Filter } from 'mongodb';
import { keepPinned, recall } from '../texts/segment-memory.operational.js';
import { pinsOfPage, pinsOfSources, type Pin } from './pins.operational.js';

type Within = Pick<Scope, 'database'>;
type Writing = Pick<Scope, 'database' | 'now'>;
type Problem = TranslationSegment['problems'][number];

/** A segment of a page as the last run has read it. What it reads in the result is in the memory, by its hash. */
export interface PageSegment {
  /** Its id in the page. */
  segment: string;
  /** The block that it is in; `/title` and `/description` for those of the page. */
  block: string;
  /** Its name in the memory. */
  hash: string;
  source: string;
  /** Why its source stands in the result. */
  problems: readonly Problem[];
}

/** The same as it is stored. */
export interface StoredSegment extends PageSegment {
  /** `<translation>/<id>` */
  _id: string;
  translation: string;
  /** Its id in the translation. */
  id: string;
  page: string;
  /** Sorts the segments of a translation: by page, then by their order in it. */
  place: string;
  isPinned: boolean;
  /** Whether it has problems, or a pin that does not count any more. */
  hasProblem: boolean;
}

export const pageSegmentIndexes = {
  op_translation_page_segments: [
    { key: { translation: 1, place: 1 }, name: 'translation_place' },
    { key: { translation: 1, page: 1 }, name: 'translation_page' },
    { key: { translation: 1, hasProblem: 1, place: 1 }, name: 'translation_problem_place' },
    { key: { translation: 1, isPinned: 1, place: 1 }, name: 'translation_pinned_place' },
    { key: { translation: 1, hash: 1 }, name: 'translation_hash' },
  ],
} as const;

function segments({ database }: Within): Collection<StoredSegment> {
  return database.collection<StoredSegment>('op_translation_page_segments');
}

/** The id of a segment in its translation. */
function idOf(page: string, segment: string): string {
  return createHash('sha256').update(`${page}/${segment}`).digest('hex').slice(0, 40);
}

/** Whether a pin is of another source than the segment has now. */
export const isOutdated = (pin: Pin | undefined, { source }: Pick<PageSegment, 'source'>): boolean =>
  pin !== undefined && pin.source !== source;

/**
 * Says which segments a page has now, in their order; none when it is not in the source any more. Safe to repeat. Pins
 * stay.
 */
export async function replacePageSegments(
  scope: Writing,
  translation: string,
  page: string,
  now: readonly PageSegment[],
): Promise<void> {
  const pins = await pinsOfPage(scope, translation, page);
  const pinned = await pinAgain(scope, translation, now);
  const docs = now.map((one, order): StoredSegment => {
    const id = idOf(page, one.segment);
    const pin = pins.get(one.segment);
    return {
      ...{ _id: `${translation}/${id}`, translation, id, page },
      ...{ segment: one.segment, block: one.block, hash: one.hash, source: one.source, problems: one.problems },
      place: `${page}/${String(order).padStart(6, '0')}`,
      isPinned: pin !== undefined || pinned.has(one.source),
      hasProblem: one.problems.length > 0 || isOutdated(pin, one),
    };
  });
  await segments(scope).deleteMany({ translation, page, _id: { $nin: docs.map(({ _id }) => _id) } });
  if (docs.length === 0) return;
  await segments(scope).bulkWrite(
    docs.map(({ _id, ...fields }) => ({ updateOne: { filter: { _id }, update: { $set: fields }, upsert: true } })),
    { ordered: false },
  );
}

/** What was corrected for one provider is, for another one, too. @returns the sources that are corrected */
async function pinAgain(
  scope: Writing,
  translation: string,
  now: readonly PageSegment[],
): Promise<ReadonlyMap<string, Pin>> {
  const sources = [...new Set(now.map(({ source }) => source))];
  const pins = await pinsOfSources(scope, translation, sources);
  const pinned = now.filter(({ source }) => pins.has(source));
  const hashes = pinned.map(({ hash }) => hash);
  const known = hashes.length === 0 ? new Map<string, never>() : await recall(scope, translation, hashes);
  for (const { hash, source } of pinned) {
    const [pin, text] = [pins.get(source), known.get(hash)];
    if (pin !== undefined && text?.isPinned !== true)
      await keepPinned(scope, translation, hash, { text: pin.target, terms: text?.terms ?? [] });
  }
  return pins;
}

/** Which segments of a translation. */
export interface SegmentFilter {
  translation: string;
  page?: string | undefined;
  problem?: boolean | undefined;
  pinned?: boolean | undefined;
}

function filterOf({ translation, page, problem, pinned }: SegmentFilter): Filter<StoredSegment> {
  return {
    translation,
    ...(page !== undefined && { page }),
    ...(problem !== undefined && { hasProblem: problem }),
    ...(pinned !== undefined && { isPinned: pinned }),
  };
}

/** Segments in their order. `after`: the place of the last one of the page before. */
export function listSegments(
  scope: Within,
  filter: SegmentFilter,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<StoredSegment[]> {
  return segments(scope)
    .find({ ...filterOf(filter), ...(after !== undefined && { place: { $gt: after } }) })
    .sort({ place: 1 })
    .limit(limit)
    .toArray();
}

export function countSegments(scope: Within, filter: SegmentFilter): Promise<number> {
  return segments(scope).countDocuments(filterOf(filter));
}

export function findSegment(scope: Within, translation: string, id: string): Promise<StoredSegment | null> {
  return segments(scope).findOne({ _id: `${translation}/${id}` });
}

/** The pages of a translation that have a segment, or one of this hash. */
export function pagesWithSegments(scope: Within, translation: string, hash?: string): Promise<string[]> {
  return segments(scope).distinct('page', { translation, ...(hash !== undefined && { hash }) });
}

/** Those of some hashes that a page of a translation has. */
export async function hashesOnPages(
  scope: Within,
  translation: string,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set(await segments(scope).distinct('hash', { translation, hash: { $in: [...hashes] } }));
}

/** Notes that what segments with a hash read is pinned, or not any more. */
export async function notePinned(scope: Within, translation: string, hash: string, isPinned: boolean): Promise<void> {
  await segments(scope).updateMany({ translation, hash }, { $set: { isPinned } });
}

/** Notes what is known of a segment. */
export async function noteSegment(
  scope: Within,
  { translation, id }: Pick<StoredSegment, 'translation' | 'id'>,
  fields: Partial<Pick<StoredSegment, 'problems' | 'isPinned' | 'hasProblem'>>,
): Promise<void> {
  await segments(scope).updateOne({ _id: `${translation}/${id}` }, { $set: fields });
}

/** Removes what is said of the pages of a translation. */
export async function dropSegments(scope: Within, translation: string): Promise<void> {
  await segments(scope).deleteMany({ translation });
}
