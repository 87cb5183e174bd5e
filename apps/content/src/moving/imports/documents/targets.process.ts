import type { Scope } from '@scriptorium/platform';
import { LRUCache } from 'lru-cache';
import type { Entry } from '../entry.js';
import { includedBytes } from '../included.js';
import { itemsFrom } from '../import-items.operational.js';
import { type ImportDocument } from '../imports.operational.js';
import { isDropped, type FileItem, type PageItem } from '../item.js';
import type { Targets } from './links.js';
import { routesOf } from './routes.js';

/** What links of an import can lead to. */
export interface KnownTargets {
  targets: Targets;
  /** `targets` as JSON, as workers get it. */
  text: string;
  /** The places of files, by their ids. */
  files: ReadonlyMap<string, number>;
  /** Files whose text pages can show, by their paths; none where no page shows any. */
  included: ReadonlyMap<string, Entry>;
}

/** Targets of the imports that this replica works on. They do not change once an import is planned. */
const known = new LRUCache<string, KnownTargets>({ max: 4 });

export async function targetsOf(
  scope: Pick<Scope, 'database'>,
  { _id: id, source }: ImportDocument,
): Promise<KnownTargets> {
  const present = known.get(id);
  if (present !== undefined) return present;
  const targets = { pages: paths(), files: paths(), includes: paths(), routes: paths(), ids: paths() };
  const files = new Map<string, number>();
  const pages = (await itemsFrom(scope, id, 'page')).filter((page) => !isDropped(page));
  for (const page of pages) {
    if (page.path !== undefined) targets.pages[page.path] = page.id;
    if (page.path !== undefined) for (const route of routesOf(page)) targets.routes[route] ??= page.id;
    targets.ids[page.formerId ?? page.id] = page.id;
  }
  const others = await itemsFrom(scope, id, 'file');
  for (const file of others.filter(({ isOutside }) => isOutside !== true)) {
    targets.files[file.path] = file.id;
    targets.ids[file.formerId ?? file.id] = file.id;
    files.set(file.id, file.n);
  }
  for (const include of await itemsFrom(scope, id, 'include')) {
    targets.includes[include.path] = include.id;
    targets.ids[include.formerId ?? include.id] = include.id;
  }
  const { outsideLinks: outside } = source;
  const all = { ...targets, ...(outside === undefined ? {} : { outside }) };
  const found = {
    targets: all,
    text: JSON.stringify(all),
    files,
    included: filesToShow(pages, others),
  };
  known.set(id, found);
  return found;
}

/** Files whose text pages can show, if any page shows one: they are not too long. */
function filesToShow(pages: readonly PageItem[], files: readonly FileItem[]): KnownTargets['included'] {
  if (pages.every(({ scanned }) => scanned?.includes === undefined)) return new Map();
  return new Map(files.flatMap(({ path, entry }) => (entry.size <= includedBytes ? [[path, entry]] : [])));
}

/** A map whose keys others give. */
function paths(): Record<string, string> {
  return Object.create(null) as Record<string, string>;
}
