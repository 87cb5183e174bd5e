import { ComputedSource, ContentReference, contentBounds, type ImportWarning } from '@scriptorium/contracts';
import { resolveLinkByDefault } from '@scriptorium/rich-text';
import type { SummaryEntry } from '../../archive-format/index.js';
import { cutText, decoded, isPageFile, joined, type Files } from '../folder.js';
import { unfit } from '../refusal.js';

/** A page that is going to be: in the order of the navigation, parents before their children. */
export interface OutlinePage {
  type: 'document' | 'group' | 'link' | 'computed';
  title: string;
  /** The place of its parent in the outline. */
  parent?: number;
  /** Its file. */
  path?: string;
  /** The folder that it stands for without a file. */
  folder?: string;
  target?: ContentReference;
  /** The file that a link leads to, which has no id yet. */
  targetPath?: string;
  computed?: ComputedSource;
}

export interface Outline {
  pages: OutlinePage[];
  warnings: ImportWarning[];
}

interface Building extends Outline {
  files: Files;
  /** The file with the navigation. */
  summary: string;
  used: Set<string>;
}

/** The pages that `SUMMARY.md` lists. `summary`: its path. */
export function outlineOfSummary(files: Files, summary: string, entries: readonly SummaryEntry[]): Outline {
  const building: Building = { files, summary, pages: [], warnings: [], used: new Set() };
  addAll(building, entries, undefined, 1);
  for (const path of files.keys())
    if (isPageFile(path) && path !== summary && !building.used.has(path))
      building.warnings.push({ kind: 'unlisted_page', path });
  return { pages: building.pages, warnings: building.warnings };
}

function addAll(building: Building, entries: readonly SummaryEntry[], parent: number | undefined, depth: number): void {
  for (const entry of entries) {
    const page = pageOf(building, entry);
    if (page === undefined) continue;
    requireDepth(page.path ?? page.title, depth);
    const place = building.pages.push(parent === undefined ? page : { ...page, parent }) - 1;
    if (!('entries' in entry)) continue;
    // A link contains no pages: they come to stand beside it.
    if (page.type === 'link') addAll(building, entry.entries, parent, depth);
    else addAll(building, entry.entries, place, depth + 1);
  }
}

/** @throws AppError `content_change_invalid` for a page that lies too deep */
export function requireDepth(path: string, depth: number): void {
  if (depth > contentBounds.pageDepth) throw unfit(path, `Pages are at most ${contentBounds.pageDepth} deep`);
}

function pageOf(building: Building, entry: SummaryEntry): OutlinePage | undefined {
  switch (entry.type) {
    case 'group':
      return { type: 'group', title: shortTitle(entry.title) };
    case 'folder':
      return { type: 'document', title: shortTitle(entry.title) };
    case 'link':
      return linkOf(building, entry);
    case 'computed': {
      const computed = ComputedSource.safeParse(entry.source);
      if (computed.success) return { type: 'computed', title: '', computed: computed.data };
      building.warnings.push({ kind: 'unknown_entry', path: building.summary, target: String(entry.source.type) });
      return undefined;
    }
    case 'page':
      return filePage(building, entry);
  }
}

function linkOf(
  { warnings, summary }: Building,
  { title, url }: { title: string; url: string },
): OutlinePage | undefined {
  const target = ContentReference.safeParse(resolveLinkByDefault(url, 'page'));
  if (target.success) return { type: 'link', title: shortTitle(title), target: target.data };
  warnings.push({ kind: 'link', path: summary, target: url });
  return undefined;
}

function filePage(
  { files, warnings, summary, used }: Building,
  entry: { title: string; path: string; entries: readonly SummaryEntry[] },
): OutlinePage | undefined {
  const [address = '', anchor] = entry.path.split('#', 2);
  const folder = summary.split('/').slice(0, -1);
  const { above, path: plain } = joined(folder, decoded(address));
  const path =
    above > 0
      ? undefined
      : [plain, `${plain}.md`, `${plain}.mdx`, `${plain}/README.md`, `${plain}/index.md`].find((one) => files.has(one));
  const title = shortTitle(entry.title);
  if (path === undefined || !isPageFile(path)) {
    warnings.push({ kind: 'missing_page', path: summary, target: entry.path });
    return entry.entries.length === 0 ? undefined : { type: 'document', title };
  }
  // A page stands in one place: further entries lead to it.
  if (used.has(path) || anchor !== undefined) {
    const target: ContentReference =
      anchor === undefined ? { kind: 'page', page: '-' } : { kind: 'anchor', page: '-', anchor };
    return { type: 'link', title, target, targetPath: path };
  }
  used.add(path);
  return { type: 'document', title, path };
}

function shortTitle(title: string): string {
  return cutText(title.replace(/[\p{Cc}\s]+/gu, ' '), contentBounds.title).trim() || 'Untitled';
}
