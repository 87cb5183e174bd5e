import type { Scope } from '@scriptorium/platform';
import type { Collection, Filter } from 'mongodb';
import { assetsFolder } from '../archive-format/index.js';
import type { FileItem, IncludeItem, Item, PageItem } from './item.js';

type Within = Pick<Scope, 'database'>;

interface ItemDocument {
  /** `<import>/<kind>/<number>`. */
  _id: string;
  import: string;
  kind: Item['kind'];
  n: number;
  item: Item;
}

function items({ database }: Within): Collection<ItemDocument> {
  return database.collection<ItemDocument>('op_import_items');
}

function idOf(id: string, { kind, n }: Pick<Item, 'kind' | 'n'>): string {
  return `${id}/${kind}/${String(n).padStart(6, '0')}`;
}

/** Stores what is planned; what is there already stays, with what was made of it. */
export async function addItems(scope: Within, id: string, planned: readonly Item[]): Promise<void> {
  if (planned.length === 0) return;
  await items(scope).bulkWrite(
    planned.map((item) => {
      const { kind, n } = item;
      const fields = { import: id, kind, n, item };
      return { updateOne: { filter: { _id: idOf(id, item) }, update: { $setOnInsert: fields }, upsert: true } };
    }),
    { ordered: false },
  );
}

/** Documents that are decoded at a time. */
const decodedTogether = 250;

type ItemOf<K extends Item['kind']> = Extract<PageItem | FileItem | IncludeItem, { kind: K }>;

/** Items of a kind in their order, from one on. */
export async function itemsFrom<K extends Item['kind']>(
  scope: Within,
  id: string,
  kind: K,
  { from = 0, limit }: { from?: number; limit?: number } = {},
): Promise<ItemOf<K>[]> {
  const found = items(scope)
    .find({ import: id, kind, n: { $gte: from } })
    .sort({ n: 1 });
  const all: ItemOf<K>[] = [];
  // Few at a time: decoding thousands at once would hold up everything else.
  for await (const { item } of (limit === undefined ? found : found.limit(limit)).batchSize(decodedTogether))
    all.push(item as ItemOf<K>);
  return all;
}

/**
 * Files that are taken over: something links to them, the manifest knows them, or they stand where files of a content
 * stand.
 */
function wantedFiles(id: string, from: number): Filter<ItemDocument> {
  const inAssets = { 'item.path': { $gte: `${assetsFolder}/`, $lt: `${assetsFolder}0` } };
  const wanted = [{ 'item.isUsed': true }, { 'item.record': { $exists: true } }, inAssets];
  return { import: id, kind: 'file', n: { $gte: from }, $or: wanted };
}

/** Files that are taken over, in their order, from one on. */
export function wantedFilesFrom(
  scope: Within,
  id: string,
  { from = 0, limit = 0 }: { from?: number; limit?: number } = {},
): Promise<FileItem[]> {
  return filesIn(scope, wantedFiles(id, from), limit);
}

/** Files that could be taken over and are not, and whose text no page shows, in their order. */
export function unwantedFilesFrom(scope: Within, id: string): Promise<FileItem[]> {
  const { $or, ...all } = wantedFiles(id, 0);
  return filesIn(scope, { ...all, $nor: [...($or ?? []), { 'item.isOutside': true }, { 'item.isShown': true }] }, 0);
}

/** `limit`: 0 for all. */
async function filesIn(scope: Within, filter: Filter<ItemDocument>, limit: number): Promise<FileItem[]> {
  const all: FileItem[] = [];
  for await (const { item } of items(scope).find(filter).sort({ n: 1 }).limit(limit).batchSize(decodedTogether))
    all.push(item as FileItem);
  return all;
}

export function countWantedFiles(scope: Within, id: string): Promise<number> {
  return items(scope).countDocuments(wantedFiles(id, 0));
}

/** Stores what was made of items. */
export async function replaceItems(scope: Within, id: string, changed: readonly Item[]): Promise<void> {
  if (changed.length === 0) return;
  await items(scope).bulkWrite(
    changed.map((item) => ({ updateOne: { filter: { _id: idOf(id, item) }, update: { $set: { item } } } })),
    { ordered: false },
  );
}

/** Places among the files: of those that pages use, and of those whose text pages show. */
export interface FilesFound {
  used: ReadonlySet<number>;
  shown: ReadonlySet<number>;
}

/** Notes what pages do with files. */
export async function markFiles(scope: Within, id: string, { used, shown }: FilesFound): Promise<void> {
  for (const [field, numbers] of [
    ['item.isUsed', used],
    ['item.isShown', shown],
  ] as const) {
    if (numbers.size === 0) continue;
    const ids = [...numbers].map((n) => idOf(id, { kind: 'file', n }));
    await items(scope).updateMany({ _id: { $in: ids } }, { $set: { [field]: true } });
  }
}

/** Removes what only the work itself needs. */
export async function dropWork(scope: Within, id: string): Promise<void> {
  await items(scope).deleteMany({ import: id, kind: { $ne: 'page' } });
  await items(scope).updateMany({ import: id }, { $unset: { 'item.read.anchors': '' } });
}

/** Removes all items of an import. */
export async function dropItems(scope: Within, id: string): Promise<void> {
  await items(scope).deleteMany({ import: id });
}
