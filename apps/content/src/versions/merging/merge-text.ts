import type { RichDocument } from '@scriptorium/rich-text';
import type { ContentTree, Draft } from '../object-store/index.js';
import { conflictId, type Conflicts, type ConflictSubject } from './conflict.js';
import type { MergeDocuments } from './merge-documents.js';
import { mergeValue, type Versions } from './versions.js';

/** What contents are merged with. */
export interface MergeContext {
  /** Begins with the main content, and becomes the merged content. */
  draft: Draft;
  /** What both sides began with, the change request, and the main content. */
  trees: Versions<ContentTree> & { base: ContentTree; ours: ContentTree; theirs: ContentTree };
  conflicts: Conflicts;
  mergeDocuments: MergeDocuments;
  /** How many variables the space, and each page, can have. */
  variables: number;
}

/** The document of what has none. */
export const emptyDocument: RichDocument = { object: 'document', data: {}, nodes: [] };

/** Merges the documents with these names; the name of the merged one. */
export async function mergeTexts(
  { draft, trees, conflicts, mergeDocuments }: MergeContext,
  of: ConflictSubject,
  names: Versions<string>,
): Promise<string | undefined> {
  const { value, isConflict } = mergeValue(names);
  if (!isConflict || names.ours === undefined || names.theirs === undefined) {
    if (isConflict) conflicts.add({ kind: 'edit', of, attribute: 'document' });
    return value;
  }
  const [base, ours, theirs] = await Promise.all([
    names.base === undefined ? emptyDocument : trees.base.object(names.base),
    trees.ours.object(names.ours),
    trees.theirs.object(names.theirs),
  ]);
  const id = (kind: 'edit' | 'delete' | 'move' | 'order'): string => conflictId({ kind, of, attribute: 'document' });
  const merged = await mergeDocuments({
    base: base as RichDocument,
    ours: ours as RichDocument,
    theirs: theirs as RichDocument,
    ids: { edit: id('edit'), delete: id('delete'), move: id('move'), order: id('order') },
  });
  for (const { kind, blocks } of merged.conflicts)
    conflicts.add({ kind, of, attribute: 'document', ...(blocks.length === 0 ? {} : { blocks }) });
  return draft.add(merged.document);
}
