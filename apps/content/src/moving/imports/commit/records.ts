import type { ContentReference } from '@scriptorium/contracts';
import type { FileRecord, ImportedFrom, PageRecord, ReusableContentRecord } from '../../../versions/index.js';
import { cutText } from '../folder.js';
import type { BroughtFile, FileItem, IncludeItem, ManifestPage, PageItem, ReadItem } from '../item.js';
import { renameIds } from '../rename-ids.js';
import { titleOfComputed } from './build-pages.js';

/** Ids by those that the archive has, and those of pages by their paths. */
export type Ids = Readonly<Record<string, string>>;

export function fileRecord(
  { path, record }: FileItem,
  { hash, size, contentType, dimensions }: BroughtFile,
): FileRecord {
  const name = record?.name ?? path.split('/').at(-1) ?? path;
  const importedFrom = record === undefined ? { path } : record.importedFrom;
  return {
    name: cutText(name, 256),
    hash,
    size,
    contentType,
    ...(dimensions === undefined ? {} : { dimensions: { ...dimensions } }),
    ...(importedFrom === undefined ? {} : { importedFrom: { ...importedFrom } }),
  };
}

export function includeRecord(
  { path, title, importedFrom = { path } }: IncludeItem,
  read: ReadItem,
): ReusableContentRecord {
  const { isKept, document } = read;
  return {
    title: isKept === true ? title : read.title,
    document,
    ...(importedFrom === null ? {} : { importedFrom: { ...importedFrom } }),
  };
}

/** A page that the archive has a file for, or only an entry of the navigation. */
export function newRecord(
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
    ...sourceOf(item),
  };
}

/** The file that a page came from. What comes from an export came from another file before. */
export function sourceOf({ path, folder, record, scanned, entry }: PageItem): Pick<PageRecord, 'importedFrom'> {
  if (record !== undefined)
    return record.importedFrom === undefined ? {} : { importedFrom: importedFromOf(record.importedFrom) };
  const source = entry === undefined ? folder : path;
  return source === undefined ? {} : { importedFrom: { path: source, ...knownBy(scanned) } };
}

function knownBy(scanned: PageItem['scanned']): Omit<ImportedFrom, 'path'> {
  if (scanned === undefined) return {};
  const { sha256, id } = scanned;
  return { sha256, ...(id === undefined ? {} : { id }) };
}

function importedFromOf({ path, id, sha256 }: NonNullable<ManifestPage['importedFrom']>): ImportedFrom {
  return { path, ...(id === undefined ? {} : { id }), ...(sha256 === undefined ? {} : { sha256 }) };
}

/**
 * A page that is as the manifest has it, with its fields, but not its place. It names no object but those that were
 * stored for it.
 */
export function keptRecord(
  record: ManifestPage,
  { read }: PageItem,
  ids: Ids,
): Omit<PageRecord, 'order' | 'slug' | 'parent'> {
  const { document: _, attributes: __, ...own } = withoutPlace(record);
  return {
    ...own,
    ...(record.target === undefined ? {} : { target: renameIds(record.target, ids) }),
    ...(record.computed === undefined ? {} : { computed: renameIds(record.computed, ids) }),
    ...(read === undefined ? {} : { document: read.document }),
    ...(read?.attributes === undefined ? {} : { attributes: read.attributes }),
  } as Omit<PageRecord, 'order' | 'slug' | 'parent'>;
}

/** Where an entry of the navigation leads, with the id of the page that it got. */
function withId(target: ContentReference, { targetPath }: PageItem, ids: Ids): ContentReference {
  const page = targetPath === undefined ? undefined : ids[`file ${targetPath}`];
  return page === undefined || !('page' in target) ? target : { ...target, page };
}

export function withoutPlace<T extends { parent?: unknown; order: unknown; slug?: unknown }>(record: T) {
  const { parent: _, order: __, slug: ___, ...own } = record;
  return own;
}
