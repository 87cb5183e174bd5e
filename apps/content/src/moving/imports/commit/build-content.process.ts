import { isSame, type Json } from '@scriptorium/tree';
import { setImmediate as pause } from 'node:timers/promises';
import {
  withFields,
  type FileRecord,
  type ContentTree,
  type Draft,
  idIn,
  keys,
  type Page,
  type PageRecord,
  type ReusableContentRecord,
} from '../../../versions/index.js';
import { placed, placesOf, type Place, type Places } from './build-pages.js';
import type { FileItem, IncludeItem, PageItem } from '../item.js';
import { keptFields, type KeptFields } from '../kept-fields.js';
import { fileRecord, includeRecord, keptRecord, newRecord, sourceOf, withoutPlace, type Ids } from './records.js';

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
  kind:
    | 'page_created'
    | 'page_edited'
    | 'file_created'
    | 'file_edited'
    | 'reusable_content_created'
    | 'reusable_content_edited';
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
    if (index % pageBatch === 0) await pause();
    const there = before === undefined ? undefined : ((await before.get(keys.page(item.id))) as PageRecord | undefined);
    const page = await pageOf(building, item, { places, ids, there });
    const { id, ...record } = withMoments(page, there);
    addPage(edits, id, record);
    if (there === undefined) happened.push({ kind: 'page_created', id });
    else if (!isSame(there, record)) happened.push({ kind: 'page_edited', id });
  }
  for (const [id, record] of filesOf(brought)) edits.set(keys.file(id), record);
  for (const [id, record] of includesOf(brought)) edits.set(keys.reusableContent(id), record);
  happened.push(
    ...(await happenedTo(before, edits, kindsOfFiles)),
    ...(await happenedTo(before, edits, kindsOfIncludes)),
  );
  for (const [name, value] of Object.entries(brought.variables)) edits.set(keys.variable(name), value);
  await putAll(draft, edits);
  return happened;
}

const pageBatch = 100;

function filesOf({ files }: Brought): [id: string, record: FileRecord][] {
  return files.flatMap((file) => (file.brought === undefined ? [] : [[file.id, fileRecord(file, file.brought)]]));
}

function includesOf({ includes }: Brought): [id: string, record: ReusableContentRecord][] {
  return includes.flatMap((one) => (one.read === undefined ? [] : [[one.id, includeRecord(one, one.read)]]));
}

interface Kinds {
  prefix: string;
  created: Happened['kind'];
  edited: Happened['kind'];
}

const kindsOfFiles: Kinds = { prefix: keys.files, created: 'file_created', edited: 'file_edited' };
const kindsOfIncludes: Kinds = {
  prefix: keys.reusableContents,
  created: 'reusable_content_created',
  edited: 'reusable_content_edited',
};

/** What happens to files or reusable contents by these edits. */
async function happenedTo(
  before: ContentTree | undefined,
  edits: ReadonlyMap<string, Json>,
  { prefix, created, edited }: Kinds,
): Promise<Happened[]> {
  const there = new Map(before === undefined ? [] : await before.range(prefix));
  return [...edits].flatMap(([key, record]): Happened[] => {
    if (!key.startsWith(prefix) || isSame(there.get(key), record)) return [];
    return [{ kind: there.has(key) ? edited : created, id: idIn(key) }];
  });
}

/** A page of an import, as the tree has it. */
async function pageOf(
  { draft, now }: Building,
  item: PageItem,
  { places, ids, there }: { places: Places; ids: Ids; there: PageRecord | undefined },
): Promise<Page> {
  const { id, type, record, read, present } = item;
  // What is there stays where there is nothing to take its place.
  if (read?.isUnread === true && there?.type === type)
    return placed(id, { ...withoutPlace(there), ...sourceOf(item) }, places);
  if (record !== undefined && isAsInManifest(item)) return placed(id, keptRecord(record, item, ids), places);
  const createdAt = present?.createdAt ?? record?.createdAt ?? now;
  const made = { ...newRecord(item, ids, { createdAt, updatedAt: now }), ...keptBy(item, there) };
  const at = { path: item.path ?? made.title };
  return placed(id, await withFields({ draft, refs: new Map() }, at, made, read?.fields ?? {}), places);
}

/** The fields of a page without a file: those of the manifest, or else of what is there. */
function keptBy({ entry, kept, type, description }: PageItem, there: PageRecord | undefined): KeptFields {
  if (entry !== undefined) return {};
  const described = description === undefined ? {} : { description };
  return kept ?? { ...(there?.type === type ? keptFields(there) : {}), ...described };
}

function isAsInManifest({ type, record, read, entry }: PageItem): boolean {
  return (read?.isKept === true || entry === undefined) && type === record?.type;
}

function idsOf({ pages, files, includes }: Brought): Ids {
  const ids = Object.create(null) as Record<string, string>;
  for (const { id, formerId, path } of pages) {
    ids[formerId ?? id] = id;
    if (path !== undefined) ids[`file ${path}`] = id;
  }
  for (const { id, formerId } of [...files, ...includes]) ids[formerId ?? id] = id;
  return ids;
}

/**
 * A page that is as it was keeps the moment of its last change. Its place, and the file that it came from, do not
 * count.
 */
function withMoments(page: Page, there: PageRecord | undefined): Page {
  if (there === undefined) return page;
  const same = { ...page, createdAt: there.createdAt, updatedAt: there.updatedAt };
  return isSame(countedOf(same), countedOf(there)) ? same : page;
}

function countedOf(record: PageRecord): object {
  const { id: _, order: __, parent: ___, slug: ____, importedFrom: _____, ...counted } = record as Page;
  return counted;
}

function addPage(edits: Map<string, Json>, id: string, record: PageRecord): void {
  const { parent, order, slug } = record;
  edits.set(keys.page(id), record as Json);
  edits.set(keys.child(parent, order, id), 0);
  if (slug !== undefined) edits.set(keys.slug(parent, slug), id);
}

/** Edits that are applied at once: to apply all of them would hold up everything else. */
const editBatch = 500;

/** Neighbours together, so that each part of the tree is written once or twice. */
async function putAll(draft: Draft, edits: ReadonlyMap<string, Json>): Promise<void> {
  const sorted = [...edits.keys()].sort();
  for (const [index, key] of sorted.entries()) {
    draft.put(key, edits.get(key) ?? null);
    if (index % editBatch !== editBatch - 1) continue;
    await draft.get(key);
    await pause();
  }
}
