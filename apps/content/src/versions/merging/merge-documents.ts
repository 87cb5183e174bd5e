import { contentBounds } from '@scriptorium/contracts';
import {
  merge,
  withConflicts,
  withMarkersOf,
  withoutConflicts,
  type MergeConflict,
  type RichDocument,
} from '@scriptorium/rich-text';

/** Documents to merge. */
export interface DocumentsToMerge {
  base: RichDocument;
  ours: RichDocument;
  theirs: RichDocument;
  /** By which markers name conflicts, for each kind. */
  ids: Readonly<Record<MergeConflict['kind'], string>>;
}

/** A merged document, with the conflicts in it. `blocks`: keys of those that have a marker. */
export interface MergedDocument {
  document: RichDocument;
  conflicts: { kind: MergeConflict['kind']; blocks: string[] }[];
}

/** Merges documents of one kind each. */
export type MergeDocuments = (documents: DocumentsToMerge) => Promise<MergedDocument>;

/**
 * Merges two documents that grew out of one. Where they exclude each other, ours stays, and a marker has the other
 * version. Markers that ours has already stay. What would become too large is ours alone, as one conflict. Pure, so
 * that it can run in a worker.
 */
export function mergeDocuments({ base, ours, theirs, ids }: DocumentsToMerge): MergedDocument {
  const merged = merge(base, withoutConflicts(ours), theirs);
  const named = merged.conflicts.map((conflict) => ({ id: ids[conflict.kind], conflict }));
  const { document, marked } = withConflicts(merged.document, named);
  const full = withMarkersOf(document, ours);
  if (fits(full)) return { document: full, conflicts: conflictsOf(merged.conflicts, ids, marked) };
  const plain = withMarkersOf(merged.document, ours);
  return fits(plain) ? { document: plain, conflicts: conflictsOf(merged.conflicts, ids, new Map()) } : oursAlone(ours);
}

/** Ours as it is, which counts as a conflict about the whole document. */
export function oursAlone(ours: RichDocument): MergedDocument {
  return { document: ours, conflicts: [{ kind: 'edit', blocks: [] }] };
}

function fits(document: RichDocument): boolean {
  return new TextEncoder().encode(JSON.stringify(document)).byteLength <= contentBounds.documentBytes;
}

function conflictsOf(
  conflicts: readonly MergeConflict[],
  ids: DocumentsToMerge['ids'],
  marked: ReadonlyMap<string, string>,
): MergedDocument['conflicts'] {
  const found = new Map<MergeConflict['kind'], string[]>();
  for (const { kind, key } of conflicts) {
    const blocks = found.get(kind) ?? [];
    if (marked.get(key) === ids[kind]) blocks.push(key);
    found.set(kind, blocks);
  }
  return [...found]
    .map(([kind, blocks]) => ({ kind, blocks: [...new Set(blocks)] }))
    .filter(({ kind, blocks }) => blocks.length > 0 || !isMarkedOtherwise(kind, conflicts, marked));
}

/** A block has one marker. A second conflict about it is resolved with the first. */
function isMarkedOtherwise(
  kind: MergeConflict['kind'],
  conflicts: readonly MergeConflict[],
  marked: ReadonlyMap<string, string>,
): boolean {
  return conflicts.every((conflict) => conflict.kind !== kind || marked.has(conflict.key));
}
