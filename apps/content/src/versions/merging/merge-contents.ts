import { isSame, type Json } from '@scriptorium/tree';
import type { RevisionData } from '../branches/index.js';
import { contentTree, createDraft, type ContentObjects, type Draft } from '../object-store/index.js';
import { idIn, keys, type PageRecord } from '../pages/index.js';
import { createConflicts, type FoundConflict } from './conflict.js';
import type { MergeDocuments } from './merge-documents.js';
import { mergeOther } from './merge-others.js';
import { mergePages } from './merge-pages.js';
import type { MergeContext } from './merge-text.js';
import { changedIn, type MergedRoots, type Versions } from './versions.js';

type ContentEvent = RevisionData['changes'][number];

/** What is merged: the contents with these roots in one pool. */
export interface ContentsToMerge {
  space: string;
  pool: string;
  roots: MergedRoots;
  mergeDocuments: MergeDocuments;
  /** How many variables the space, and each page, can have. */
  variables: number;
}

export interface MergedContents {
  draft: Draft;
  /** What excludes each other. There the change request has its way. */
  conflicts: FoundConflict[];
  /** What happened to one of the sides, each once. */
  changesOf(side: 'ours' | 'theirs'): Promise<ContentEvent[]>;
}

/**
 * Merges what a change request (`ours`) and the main content (`theirs`) made of the same content. The cost grows with
 * what both have changed. @throws AppError `limit_reached` for a page with too many variables
 */
export async function mergeContents(
  objects: ContentObjects,
  { space, pool, roots, mergeDocuments, variables }: ContentsToMerge,
): Promise<MergedContents> {
  const treeOf = (root: string) => contentTree(objects, pool, root);
  const parts = objects.partsOf(pool);
  const draft = createDraft(objects, pool, roots.theirs === roots.base ? roots.ours : roots.theirs);
  const trees = { base: treeOf(roots.base), ours: treeOf(roots.ours), theirs: treeOf(roots.theirs) };
  const context: MergeContext = { draft, trees, conflicts: createConflicts(), mergeDocuments, variables };
  const pages = await changedIn<PageRecord>(parts, roots, keys.pages);
  const others = new Map<string, Versions<Json>>();
  for (const prefix of [keys.files, keys.reusableContents, keys.variables])
    for (const [key, versions] of await changedIn<Json>(parts, roots, prefix)) others.set(key, versions);
  // What one side alone has changed is taken as it is.
  if (roots.theirs !== roots.base && roots.ours !== roots.base) {
    await mergePages(context, pages);
    for (const [key, versions] of others) {
      const value = await mergeOther(context, key, versions);
      if (isSame(value, versions.theirs)) continue;
      if (value === undefined) draft.remove(key);
      else draft.put(key, value);
    }
  }
  return {
    draft,
    conflicts: context.conflicts.all(),
    changesOf: (side) => changes(draft, { space, side }, [...pages, ...others] as [string, Versions<Json>][]),
  };
}

async function changes(
  draft: Draft,
  { space, side }: { space: string; side: 'ours' | 'theirs' },
  touched: readonly [string, Versions<Json>][],
): Promise<ContentEvent[]> {
  const now = await draft.getMany(touched.map(([key]) => key));
  const changed = touched.filter(([key, versions]) => !isSame(versions[side], now.get(key)));
  const events = changed.flatMap(([key, versions]) => eventsOf(key, versions[side], now.get(key)));
  const hasVariables = changed.some(([key]) => key.startsWith(keys.variables));
  return hasVariables ? [...events, { kind: 'variables_edited', id: space }] : events;
}

function eventsOf(key: string, before: Json | undefined, after: Json | undefined): ContentEvent[] {
  const id = idIn(key);
  const made = before === undefined ? 'created' : after === undefined ? 'deleted' : 'edited';
  if (key.startsWith(keys.files)) return [{ kind: `file_${made}`, id }];
  if (key.startsWith(keys.reusableContents)) return [{ kind: `reusable_content_${made}`, id }];
  if (key.startsWith(keys.variables)) return [];
  if (made !== 'edited') return [{ kind: `page_${made}`, id }];
  const [old, now] = [before as PageRecord, after as PageRecord];
  const isMoved = old.parent !== now.parent || old.order !== now.order;
  const isEdited = !isSame(unplaced(old), unplaced(now));
  return [
    ...(isMoved ? [{ kind: 'page_moved' as const, id }] : []),
    ...(isEdited ? [{ kind: 'page_edited' as const, id }] : []),
  ];
}

function unplaced(page: PageRecord): PageRecord {
  const { parent: _, ...rest } = page;
  return { ...rest, order: '' };
}
