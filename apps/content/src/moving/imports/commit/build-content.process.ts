import type { ContentReference } from '@scriptorium/contracts';
import { isSame, type Json } from '@scriptorium/tree';
import { setImmediate as pause } from 'node:timers/promises';
import {
  withFields,
  type FileRecord,
  type ContentTree,
  type Draft,
  keys,
  type Page,
  type PageRecord,
} from '../../../versions/index.js';
import { placed, placesOf, titleOfComputed, type Place, type Places } from './build-pages.js';
import { cutText } from '../folder.js';
import type { FileItem, IncludeItem, ManifestPage, PageItem } from '../item.js';
import { renameIds } from '../rename-ids.js';

/** Everything that an import makes. */
export interface Brought {
  pages: readonly PageItem[];
  files: readonly FileItem[];
  includes: readonly IncludeItem[];
  variables: Readonly<Record<string, string>>;
}

/** What is built where. */
export interface Building {
  draft: Draft;
  place: Place;
  /** The content that is replaced; what is the same there keeps its moments. */
  before: ContentTree | undefined;
  /** When it is built. */
  now: string;
}

/** What happened, as revisions name it. */
export type Happened = {
  kind: 'page_created' | 'page_edited' | 'file_created' | 'reusable_content_created';
  id: string;
};

/** Puts what was imported into a draft. */
export async function buildContent(building: Building, brought: Brought): Promise<Happened[]> {
  const { draft, place, before } = building;
  const edits = new Map<string, Json>();
  const happened: Happened[] = [];
  const places = placesOf(brought.pages, place);
  const ids = idsOf(brought);
  for (const [index, item] of brought.pages.entries()) {
    if (index % pagesTogether === 0) await pause();
    const page = await pageOf(building, item, { places, ids });
    const there = before === undefined ? undefined : ((await before.get(keys.page(item.id))) as PageRecord | undefined);
    const { id, ...record } = withMoments(page, there);
    addPage(edits, id, record);
    if (there === undefined) happened.push({ kind: 'page_created', id });
    else if (!isSame(there, record)) happened.push({ kind: 'page_edited', id });
  }
  for (const { id, path, record, brought: bytes } of brought.files) {
    if (bytes === undefined) continue;
    const name = record?.name ?? path.split('/').at(-1) ?? path;
    edits.set(keys.file(id), fileRecord(name, bytes));
    happened.push({ kind: 'file_created', id });
  }
  for (const { id, title, read } of brought.includes) {
    if (read === undefined) continue;
    edits.set(keys.reusableContent(id), { title: read.isKept === true ? title : read.title, document: read.document });
    happened.push({ kind: 'reusable_content_created', id });
  }
  for (const [name, value] of Object.entries(brought.variables)) edits.set(keys.variable(name), value);
  await putAll(draft, edits);
  return happened;
}

const pagesTogether = 100;

function fileRecord(name: string, { hash, size, contentType, dimensions }: Omit<FileRecord, 'name'>): Json {
  return {
    name: cutText(name, 256),
    hash,
    size,
    contentType,
    ...(dimensions === undefined ? {} : { dimensions: { ...dimensions } }),
  };
}

/** A page of an import, as the tree has it. */
async function pageOf(
  { draft, now }: Building,
  item: PageItem,
  { places, ids }: { places: Places; ids: Ids },
): Promise<Page> {
  const { id, type, record, read, present } = item;
  const isKept = read?.isKept === true || item.entry === undefined;
  if (record !== undefined && isKept && type === record.type) return placed(id, keptRecord(record, item, ids), places);
  const createdAt = present?.createdAt ?? record?.createdAt ?? now;
  const made = newRecord(item, ids, { createdAt, updatedAt: now });
  const at = { path: item.path ?? made.title };
  return placed(id, await withFields({ draft, refs: new Map() }, at, made, read?.fields ?? {}), places);
}

/** A page that the archive has a file for, or only an entry of the navigation. */
function newRecord(
  item: PageItem,
  ids: Ids,
  times: Pick<PageRecord, 'createdAt' | 'updatedAt'>,
): Omit<PageRecord, 'parent' | 'order'> {
  const { type, read, target, computed } = item;
  return {
    type,
    title: read?.title ?? (item.title === '' ? titleOfComputed(computed) : item.title),
    ...times,
    ...(read === undefined ? {} : { document: read.document }),
    ...(target === undefined ? {} : { target: withId(target, item, ids) }),
    ...(computed === undefined ? {} : { computed: renameIds(computed, ids) }),
  };
}

/** A page that is as the manifest has it, with its fields, but not its place. It names no object but those that were stored for it. */
function keptRecord(record: ManifestPage, { read }: PageItem, ids: Ids): Omit<PageRecord, 'order' | 'slug' | 'parent'> {
  const { parent: _, order: __, slug: ___, document: ____, attributes: _____, ...own } = record;
  return {
    ...own,
    ...(record.target === undefined ? {} : { target: renameIds(record.target, ids) }),
    ...(record.computed === undefined ? {} : { computed: renameIds(record.computed, ids) }),
    ...(read === undefined ? {} : { document: read.document }),
    ...(read?.attributes === undefined ? {} : { attributes: read.attributes }),
  } as Omit<PageRecord, 'order' | 'slug' | 'parent'>;
}

/** Ids by those that the archive has, and those of pages by their paths. */
type Ids = Readonly<Record<string, string>>;

function idsOf({ pages, files, includes }: Brought): Ids {
  const ids = Object.create(null) as Record<string, string>;
  for (const { id, formerId, path } of pages) {
    ids[formerId ?? id] = id;
    if (path !== undefined) ids[`file ${path}`] = id;
  }
  for (const { id, formerId } of [...files, ...includes]) ids[formerId ?? id] = id;
  return ids;
}

/** Where an entry of the navigation leads, with the id of the page that it got. */
function withId(target: ContentReference, { targetPath }: PageItem, ids: Ids): ContentReference {
  const page = targetPath === undefined ? undefined : ids[`file ${targetPath}`];
  return page === undefined || !('page' in target) ? target : { ...target, page };
}

/** A page that is as it was keeps the moment of its last change. */
function withMoments(page: Page, there: PageRecord | undefined): Page {
  if (there === undefined) return page;
  const { id, ...record } = page;
  const same = { ...record, createdAt: there.createdAt, updatedAt: there.updatedAt };
  return isSame(same, there) ? { ...same, id } : page;
}

function addPage(edits: Map<string, Json>, id: string, record: PageRecord): void {
  const { parent, order, slug } = record;
  edits.set(keys.page(id), record as Json);
  edits.set(keys.child(parent, order, id), 0);
  if (slug !== undefined) edits.set(keys.slug(parent, slug), id);
}

/** Edits that are applied at once: to apply all of them would hold up everything else. */
const editsTogether = 500;

/** Neighbours together, so that each part of the tree is written once or twice. */
async function putAll(draft: Draft, edits: ReadonlyMap<string, Json>): Promise<void> {
  const sorted = [...edits.keys()].sort();
  for (const [index, key] of sorted.entries()) {
    draft.put(key, edits.get(key) ?? null);
    if (index % editsTogether !== editsTogether - 1) continue;
    await draft.get(key);
    await pause();
  }
}
