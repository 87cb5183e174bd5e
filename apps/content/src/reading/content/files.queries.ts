import { AppError, type ContentFile } from '@scriptorium/contracts';
import { pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { type FileRecord, type ContentObjects, idIn, keys } from '../../versions/index.js';
import type { SeenContent } from '../page-visibility/index.js';
import type { ContentView } from './view/view.queries.js';

/** All files that the caller may see, in the order of their ids. */
export async function allFiles(scope: ReadScope, seen: SeenContent, view: ContentView): Promise<ContentFile[]> {
  return (await entriesOf(scope, seen, view)).map(([key, record]) => shownFile(view, idIn(key), record as FileRecord));
}

type ReadScope = Pick<Scope, 'workers'>;

async function entriesOf(scope: ReadScope, seen: SeenContent, { reader, ...view }: ContentView) {
  const entries = await view.tree.range(keys.files);
  if (reader === undefined) return entries;
  const { files } = await seen.reached(scope, { ...view, reader });
  return entries.filter(([key]) => files.has(idIn(key)));
}

/** A page of the files, by name. `scope`: what the list is of, whatever its revision. */
export async function listFiles(
  { cursors, workers }: Pick<Scope, 'cursors' | 'workers'>,
  { objects, seen }: { objects: Pick<ContentObjects, 'derived'>; seen: SeenContent },
  view: ContentView,
  { scope, ...request }: PageRequest & { operation: string; scope: Record<string, string> },
): Promise<Page<ContentFile>> {
  const entries = await sortedFiles({ workers }, objects, seen, view);
  const page = await pageBy<Sorted>(cursors, {
    binding: { operation: request.operation, scope, sort: 'name', order: 'asc' },
    request,
    isCounted: true,
    count: () => entries.length,
    fetch: (limit, after) => {
      const [name = '', id = ''] = after ?? [];
      const start = after === undefined ? 0 : entries.findIndex((one) => inOrder(one, { key: String(name), id }) > 0);
      return start < 0 ? [] : entries.slice(start, start + limit);
    },
    keysOf: ({ key, id }) => [key, id],
  });
  return { ...page, items: page.items.map(({ id, record }) => shownFile(view, id, record)) };
}

interface Sorted {
  key: string;
  id: string;
  record: FileRecord;
}

const longestKey = 256;

/**
 * The files that the caller may see, by name. The order follows from the revision: it is made once for all who list its
 * files.
 */
async function sortedFiles(
  scope: ReadScope,
  { derived }: Pick<ContentObjects, 'derived'>,
  seen: SeenContent,
  { reader, tree, root }: ContentView,
): Promise<readonly Sorted[]> {
  const name = `files ${tree.pool} ${root}`;
  let all = derived.get(name) as readonly Sorted[] | undefined;
  if (all === undefined) {
    const entries = await tree.range(keys.files);
    all = entries.map(([key, record]) => sortedBy(idIn(key), record as FileRecord)).sort(inOrder);
    derived.set(name, all, { size: 5 + 3 * all.length });
  }
  if (reader === undefined) return all;
  const { files } = await seen.reached(scope, { tree, root, reader });
  return all.filter(({ id }) => files.has(id));
}

function sortedBy(id: string, record: FileRecord): Sorted {
  return { key: record.name.normalize('NFKC').toLowerCase().slice(0, longestKey), id, record };
}

function inOrder(a: Pick<Sorted, 'key' | 'id'>, b: Pick<Sorted, 'key' | 'id'>): number {
  if (a.key !== b.key) return a.key < b.key ? -1 : 1;
  return a.id < b.id ? -1 : Number(a.id > b.id);
}

/** @throws AppError `not_found` */
export async function getFile(
  scope: ReadScope,
  seen: SeenContent,
  view: ContentView,
  id: string,
): Promise<ContentFile> {
  return shownFile(view, id, await requireFile(scope, seen, view, id));
}

/** A file that the caller may see. @throws AppError `not_found` */
export async function requireFile(
  scope: ReadScope,
  seen: SeenContent,
  { reader, ...view }: Pick<ContentView, 'tree' | 'root' | 'reader'>,
  id: string,
): Promise<FileRecord> {
  const record = (await view.tree.get(keys.file(id))) as FileRecord | undefined;
  const isSeen = reader === undefined || (await seen.reached(scope, { ...view, reader })).files.has(id);
  if (record === undefined || !isSeen) throw new AppError('not_found');
  return record;
}

/** A file as answers show it, with an address that ends, unless everybody may read it. */
export function shownFile(
  { files, space, isPublic }: Pick<ContentView, 'files'> & Partial<Pick<ContentView, 'space' | 'isPublic'>>,
  id: string,
  record: FileRecord,
): ContentFile {
  const { name, contentType, size, dimensions } = record;
  const isForAll = isPublic === true && space !== undefined;
  const downloadURL = isForAll ? files.publicUrlOf(record, { space, id }) : files.urlOf(record);
  return { id, name, contentType, size, downloadURL, ...(dimensions === undefined ? {} : { dimensions }) };
}
