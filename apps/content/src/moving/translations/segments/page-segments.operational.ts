import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

type Within = Pick<Scope, 'database'>;

/** A segment of a page as the last run has read it. What it reads in the result is in the memory, by its hash. */
export interface PageSegment {
  /** Its id in the page. */
  segment: string;
  /** The block that it is in; absent for the title and the description. */
  block?: string;
  /** Its name in the memory. */
  hash: string;
  source: string;
  /** Why its source stands in the result. */
  problems: readonly string[];
}

interface StoredSegment extends PageSegment {
  /** `<translation>/<id>` */
  _id: string;
  translation: string;
  page: string;
  /** Sorts the segments of a translation: the page, then the order in it. */
  place: string;
  hasProblem: boolean;
}

export const pageSegmentIndexes = {
  op_translation_page_segments: [
    { key: { translation: 1, place: 1 }, name: 'translation_place' },
    { key: { translation: 1, hasProblem: 1, place: 1 }, name: 'translation_problem_place' },
  ],
} as const;

function segments({ database }: Within): Collection<StoredSegment> {
  return database.collection<StoredSegment>('op_translation_page_segments');
}

/** How many segments of a translation have a problem. */
export function countProblems(scope: Within, translation: string): Promise<number> {
  return segments(scope).countDocuments({ translation, hasProblem: true });
}
