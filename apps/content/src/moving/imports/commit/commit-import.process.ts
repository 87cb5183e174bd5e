import { AppError, importBounds } from '@scriptorium/contracts';
import { derivedId, type Scope } from '@scriptorium/platform';
import { EMPTY_ROOT } from '@scriptorium/tree';
import {
  commit,
  type Made,
  type OpenBranch,
  initialPage,
  contentTree,
  createDraft,
  type ContentObjects,
  type Draft,
  childIds,
  findPage,
  keys,
  removePages,
  resolvedByReplacement,
} from '../../../versions/index.js';
import { buildContent, type Brought, type Building } from './build-content.process.js';
import type { Place } from './build-pages.js';
import { itemsFrom, unwantedFilesFrom, wantedFilesFrom } from '../import-items.operational.js';
import { missingAnchors } from '../documents/named-anchors.js';
import { addWarnings, type ImportDocument } from '../imports.operational.js';
import { isDropped, leftOut, type PageItem } from '../item.js';
import { requirePages } from '../refusal.js';

/** What an import has become. */
export interface CommittedImport {
  revision: string;
  counts: NonNullable<ImportDocument['counts']>;
}

/**
 * Makes a revision of what was read. It can be repeated: the revision is made once.
 * @throws AppError as `commit` does, and `precondition_failed` when something else has got the same ids meanwhile
 */
export async function commitImport(
  scope: Scope,
  objects: ContentObjects,
  about: ImportDocument,
): Promise<CommittedImport> {
  const { _id: id, space, branch } = about;
  const files = await wantedFilesFrom(scope, id);
  const [pages, includes] = [await pagesFrom(scope, id), await itemsFrom(scope, id, 'include')];
  requirePages(about, pages.length);
  await tellOfMissing(scope, about, pages);
  await tellOfUnused(scope, about);
  const brought: Brought = { pages, includes, files, variables: about.variables ?? {} };
  const counts = {
    pages: pages.length,
    files: files.length,
    reusableContents: includes.length,
    variables: Object.keys(brought.variables).length,
  };
  const { store, limits, now } = scope;
  const idFor = (what: string): string => derivedId(id, what);
  const { revision } = await commit({ store, limits, idFor }, objects, {
    space,
    branch,
    type: 'edits',
    key: `import:${id}`,
    make: (draft, seen) => make(objects, { about, brought, draft, seen, now: new Date(now()).toISOString() }),
    repeated: () => Promise.resolve(undefined),
  });
  return { revision, counts };
}

/** Tells which links name places that are not there. */
async function tellOfMissing(scope: Scope, { _id: id }: ImportDocument, pages: readonly PageItem[]): Promise<void> {
  const from = { kind: 'include', n: pages.length + importBounds.entries } as const;
  await addWarnings(scope, id, { warnings: missingAnchors(pages), most: importBounds.warnings, from });
}

/** Tells which files are not taken over, behind everything else. */
async function tellOfUnused(scope: Scope, { _id: id }: ImportDocument): Promise<void> {
  const unused = await unwantedFilesFrom(scope, id);
  const warnings = unused.map(({ path }) => ({ kind: 'unused_file' as const, path }));
  await addWarnings(scope, id, { warnings, most: importBounds.warnings, from: { kind: 'file', n: unused.length } });
}

/**
 * The pages that are taken over. What stands in one that is left out would be shown to others than that, so it is left
 * out, too.
 */
async function pagesFrom(scope: Scope, id: string): Promise<PageItem[]> {
  const all = (await itemsFrom(scope, id, 'page')).filter((page) => !isDropped(page));
  const out = leftOut(all);
  const within = all.filter(({ n, read }) => out.has(n) && read?.isLeftOut !== true);
  const warnings = within.map(({ path, title }) => ({ kind: 'condition' as const, path: path ?? title }));
  // They are not read one by one any more: the place behind the last one is that of all of them.
  await addWarnings(scope, id, { warnings, most: importBounds.warnings, from: { kind: 'page', n: all.length } });
  return all.filter(({ n }) => !out.has(n));
}

interface Making {
  about: ImportDocument;
  brought: Brought;
  draft: Draft;
  seen: OpenBranch;
  now: string;
}

async function make(objects: ContentObjects, making: Making): Promise<Made<undefined>> {
  const { about, brought, draft: present, seen, now } = making;
  const isReplacing = about.mode === 'replace';
  const draft = isReplacing ? createDraft(objects, seen.pool, EMPTY_ROOT) : present;
  const removed = isReplacing ? [] : await removeInitialPage(draft, about, seen);
  if (!isReplacing) await requireFree(draft, brought);
  const before = isReplacing ? contentTree(objects, seen.pool, seen.head?.tree ?? EMPTY_ROOT) : undefined;
  const place = await placeIn(draft, about.target.page);
  const building: Building = { draft, before, now, place };
  const happened = await buildContent(building, brought);
  const events = isReplacing ? await resolvedByReplacement(objects, draft, { space: about.space, seen }) : [];
  return { result: undefined, draft, changes: [...removed, ...happened], events };
}

/** Content that nobody has edited begins with a page without a text, whose place the import takes. */
async function removeInitialPage(draft: Draft, { space, target }: ImportDocument, { pool, head }: OpenBranch) {
  const isUnedited = pool === space && (head?.number ?? 0) <= 1;
  const page = isUnedited && target.page === undefined ? await initialPage(draft) : undefined;
  if (page === undefined) return [];
  return (await removePages(draft, page)).map(({ id }) => ({ kind: 'page_deleted' as const, id }));
}

/** Ids were free when the import was planned. */
async function requireFree(draft: Draft, { pages, files, includes }: Brought): Promise<void> {
  const wanted = [
    ...pages.map(({ id }) => keys.page(id)),
    ...files.map(({ id }) => keys.file(id)),
    ...includes.map(({ id }) => keys.reusableContent(id)),
  ];
  if ((await draft.getMany(wanted)).size === 0) return;
  throw new AppError('precondition_failed', [], {
    message: 'The content got the same pages meanwhile, import it again',
  });
}

async function placeIn(draft: Draft, parent: string | undefined): Promise<Place> {
  if (parent !== undefined && (await findPage(draft, parent)) === undefined)
    throw new AppError('not_found', [], { message: 'The page to import into is not there any more' });
  const [lastId] = await childIds(draft, parent, { limit: 1, reverse: true });
  const last = lastId === undefined ? undefined : (await findPage(draft, lastId))?.order;
  const slugs = await draft.range(keys.slug(parent, ''));
  return { parent, last, slugs: new Set(slugs.map(([key]) => key.slice(keys.slug(parent, '').length))) };
}
