import { layoutPresets, type SemanticChange, type SemanticChanges } from '@scriptorium/contracts';
import { diff, isSame } from '@scriptorium/tree';
import {
  type FileLinks,
  type FileRecord,
  attributesOf,
  findPage,
  idIn,
  keys,
  pathOf,
  type Page,
  type PageRecord,
  variablesOf,
  contentTree,
  type ContentTree,
  type ContentObjects,
} from '../../../versions/index.js';
import type { DocumentIds } from '../view/document-ids.js';
import { shownFile } from '../files.queries.js';
import type { ContentView } from '../view/view.queries.js';

type PageReference = Extract<SemanticChange, { type: 'page_created' }>['page'];

/** Two revisions that are compared. */
interface Compared {
  before: ContentTree;
  after: ContentTree;
  documents: DocumentIds;
  files: FileLinks;
}

interface RootedTree {
  root: string;
  tree: ContentTree;
}

/** What changed from the content with a root to that of a view, in words of the product; at most `limit` changes. */
export function changesSince(
  objects: ContentObjects,
  root: string,
  { tree: { pool }, stored, documents, files }: ContentView,
  limit: number,
): Promise<Pick<SemanticChanges, 'changes' | 'more'>> {
  const [before, after] = [root, stored].map((one) => ({ root: one, tree: contentTree(objects, pool, one) })) as [
    RootedTree,
    RootedTree,
  ];
  return semanticChanges(objects, { pool, before, after }, { limit, documents, files });
}

async function semanticChanges(
  objects: ContentObjects,
  { pool, before, after }: { pool: string; before: RootedTree; after: RootedTree },
  { limit, documents, files }: { limit: number; documents: DocumentIds; files: FileLinks },
): Promise<Pick<SemanticChanges, 'changes' | 'more'>> {
  const compared = { before: before.tree, after: after.tree, documents, files };
  const changes: SemanticChange[] = [];
  let total = 0;
  for (const prefix of [keys.pages, keys.files, keys.reusableContents]) {
    for await (const difference of diff(objects.partsOf(pool), before.root, after.root, { prefix })) {
      const found = kindOf(difference);
      total += found.length;
      for (const change of found) if (changes.length < limit) changes.push(await change(compared));
    }
  }
  const variables = await variablesChanged(compared);
  if (variables !== undefined) {
    total += 1;
    if (changes.length < limit) changes.push(variables);
  }
  return { changes, ...(total > changes.length ? { more: total - changes.length } : {}) };
}

type Show = (compared: Compared) => Promise<SemanticChange>;

/** What a difference of the trees means. An edit that moves a page too is two changes. */
function kindOf({ key, before, after }: { key: string; before?: unknown; after?: unknown }): Show[] {
  const id = idIn(key);
  if (key.startsWith(keys.pages))
    return pageChanges(id, before as PageRecord | undefined, after as PageRecord | undefined);
  if (key.startsWith(keys.reusableContents))
    return [reusableContentChange(id, before as Content | undefined, after as Content | undefined)];
  return [fileChange(id, before as FileRecord | undefined, after as FileRecord | undefined)];
}

function pageChanges(id: string, before: PageRecord | undefined, after: PageRecord | undefined): Show[] {
  if (before === undefined && after !== undefined)
    return [async (trees) => ({ type: 'page_created', page: await referenceTo(trees.after, { ...after, id }) })];
  if (before !== undefined && after === undefined)
    return [async (trees) => ({ type: 'page_deleted', page: await referenceTo(trees.before, { ...before, id }) })];
  if (before === undefined || after === undefined) return [];
  const [old, now] = [
    { ...before, id },
    { ...after, id },
  ];
  const isMoved = before.parent !== after.parent || before.order !== after.order;
  const place = { parent: '', order: '', createdAt: '', updatedAt: '' };
  const isEdited = !isSame({ ...before, ...place }, { ...after, ...place });
  return [
    ...(isMoved ? [(trees: Compared) => moved(trees, old, now)] : []),
    ...(isEdited ? [(trees: Compared) => edited(trees, old, now)] : []),
  ];
}

async function moved({ before, after }: Compared, old: Page, now: Page): Promise<SemanticChange> {
  const [from, to] = [await parentOf(before, old), await parentOf(after, now)];
  const parent = { ...(from === undefined ? {} : { before: from }), ...(to === undefined ? {} : { after: to }) };
  return { type: 'page_moved', page: await referenceTo(after, now), parent };
}

async function parentOf(tree: ContentTree, { parent }: Page): Promise<PageReference | undefined> {
  const page = parent === undefined ? undefined : await findPage(tree, parent);
  return page === undefined ? undefined : referenceTo(tree, page);
}

async function edited({ before, after, documents }: Compared, old: Page, now: Page): Promise<SemanticChange> {
  const [was, is] = [await valuesOf(before, documents, old), await valuesOf(after, documents, now)];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  const attributes = Object.fromEntries(
    [...names].filter((name) => !isSame(was[name], is[name])).map((name) => [name, changed(was[name], is[name])]),
  );
  return { type: 'page_edited', page: await referenceTo(after, now), attributes };
}

function changed(before: unknown, after: unknown): { before?: unknown; after?: unknown } {
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** The values of a page by the names of the contract. */
async function valuesOf(tree: ContentTree, documents: DocumentIds, page: Page): Promise<Record<string, unknown>> {
  const {
    title,
    description,
    slug,
    document,
    emoji,
    icon,
    hidden,
    noIndex,
    noRobotsIndex,
    condition,
    target,
    computed,
  } = page;
  const { layout, cover, variables, metaLinks } = await attributesOf(tree, page);
  return {
    title,
    description,
    slug,
    document: document === undefined ? undefined : documents.idOf(document),
    emoji,
    icon,
    hidden,
    noIndex,
    noRobotsIndex,
    condition,
    target,
    computed,
    cover,
    variables,
    metaLinks,
    ...(layout === undefined ? {} : { layout: { ...layoutPresets.docs, ...layout } }),
  };
}

/** A page as changes name it. */
export async function referenceTo(tree: ContentTree, page: Page): Promise<PageReference> {
  const { id, type, title } = page;
  return { id, type, title, ...(type === 'link' ? {} : { path: await pathOf(tree, page) }) };
}

/** What happened to a file. The same bytes have another address under another name. */
function fileChange(id: string, before: FileRecord | undefined, after: FileRecord | undefined): Show {
  return (compared) => {
    const shown = (record: FileRecord) => shownFile(compared, id, record);
    if (after === undefined) return Promise.resolve({ type: 'file_deleted', file: shown(before as FileRecord) });
    if (before === undefined) return Promise.resolve({ type: 'file_created', file: shown(after) });
    const [was, is] = [shown(before), shown(after)];
    const names = ['name', 'downloadURL', 'size', 'contentType', 'dimensions'] as const;
    const attributes = Object.fromEntries(
      names.filter((name) => !isSame(was[name], is[name])).map((name) => [name, changed(was[name], is[name])]),
    );
    return Promise.resolve({ type: 'file_edited', file: is, attributes });
  };
}

type Content = { title: string; document: string };

function reusableContentChange(id: string, before: Content | undefined, after: Content | undefined): Show {
  return ({ documents }) => {
    if (before === undefined && after !== undefined)
      return Promise.resolve({ type: 'reusable_content_created', reusableContent: { id, title: after.title } });
    if (before === undefined || after === undefined)
      return Promise.resolve({ type: 'reusable_content_deleted', reusableContent: { id, title: before?.title ?? '' } });
    const [was, is] = [documents.idOf(before.document), documents.idOf(after.document)];
    const attributes = {
      ...(before.title === after.title ? {} : { title: { before: before.title, after: after.title } }),
      ...(was === is ? {} : { document: { before: was, after: is } }),
    };
    const reusableContent = { id, title: after.title };
    return Promise.resolve({ type: 'reusable_content_edited', reusableContent, attributes });
  };
}

async function variablesChanged({ before, after }: Compared): Promise<SemanticChange | undefined> {
  const [was, is] = await Promise.all([variablesOf(before), variablesOf(after)]);
  if (isSame(was, is)) return undefined;
  return { type: 'variables_edited', variables: { before: was, after: is } };
}
