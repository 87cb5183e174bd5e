import type { Entry } from './entry.js';
import { decoded, joined } from './folder.js';
import type { IncludeItem, PageItem } from './item.js';

/** Bytes of a file whose text a page can show. */
export const includedBytes = 64 * 1024;
/** Bytes of all files that one page shows. */
const mostBytes = 512 * 1024;

/** A file that a page shows, as the page names it. */
export interface IncludedEntry {
  named: string;
  path: string;
  entry: Entry;
}

/**
 * The files that a page shows. `files`: those of the import by their paths; outside of the folder of the pages these
 * begin with `../`.
 */
export function includedIn(item: PageItem | IncludeItem, files: ReadonlyMap<string, Entry>): IncludedEntry[] {
  const { path = '' } = item;
  const includes = item.kind === 'page' ? (item.scanned?.includes ?? []) : [];
  const folder = path.split('/').slice(0, -1);
  let bytes = 0;
  return includes.flatMap((named) => {
    const { above, path: target } = joined(folder, decoded(named));
    const found = '../'.repeat(above) + target;
    const entry = files.get(found);
    if (entry === undefined || (bytes += entry.size) > mostBytes) return [];
    return [{ named, path: found, entry }];
  });
}
