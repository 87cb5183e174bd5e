import type { ContentConflict } from '@scriptorium/contracts';
import { canonical, nameOfText } from '@scriptorium/tree';

/** What a conflict is about. */
export type ConflictSubject =
  { page: string } | { reusableContent: string } | { file: string } | { variable: string; page?: string };

/**
 * Something that a change request and the main content changed in ways that exclude each other, as it is kept: without
 * texts.
 */
export interface FoundConflict {
  id: string;
  kind: ContentConflict['kind'];
  of: ConflictSubject;
  /** The field of a page, if it is about one. */
  attribute?: string;
  /** Keys of the blocks that have its marker. Without any, it has no marker. */
  blocks?: string[];
}

/** The same conflict has the same id in every merge of the two sides. */
export function conflictId({ kind, of, attribute }: Omit<FoundConflict, 'id' | 'blocks'>): string {
  return nameOfText(canonical([kind, of, attribute ?? null])).slice(0, idLength);
}

const idLength = 24;

/** Conflicts, each once. */
export interface Conflicts {
  add(conflict: Omit<FoundConflict, 'id'>): void;
  all(): FoundConflict[];
}

export function createConflicts(): Conflicts {
  const found = new Map<string, FoundConflict>();
  return {
    add(conflict) {
      const id = conflictId(conflict);
      if (!found.has(id)) found.set(id, { id, ...conflict });
    },
    all: () => [...found.values()],
  };
}

/** Conflicts as an object of content. */
interface ConflictList {
  object: 'conflicts';
  items: FoundConflict[];
}

export function conflictList(items: readonly FoundConflict[]): ConflictList {
  return { object: 'conflicts', items: [...items].sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

/** The conflicts in an object of content. */
export function conflictsIn(object: object): FoundConflict[] {
  return (object as ConflictList).items;
}
