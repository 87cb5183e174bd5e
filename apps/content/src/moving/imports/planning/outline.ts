import { ComputedSource, ContentReference, contentBounds, type ImportWarning } from '@scriptorium/contracts';
import { resolveLinkByDefault } from '@scriptorium/rich-text';
import { cutText, decoded, isHtmlPage, isPageFile, joined, type Files } from '../folder.js';
import { entriesOfFolders } from '../navigation/folder-entries.js';
import type { NavigationEntry } from '../navigation/navigation-entry.js';
import { unfit } from '../refusal.js';
import { byHomes } from './unlisted-pages.js';

/** A page that is going to be: in the order of the navigation, parents before their children. */
export interface OutlinePage {
  type: 'document' | 'group' | 'link' | 'computed';
  title: string;
  /** The place of its parent in the outline. */
  parent?: number;
  /** Its file. */
  path?: string;
  /** The navigation gives it its title, whatever its file says. */
  isNamed?: true;
  /** The last part of its path, unless something else is known of it. */
  slug?: string;
  description?: string;
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

/** The pages that `SUMMARY.md`, or another navigation, lists. `summary`: its path. */
export function outlineOfSummary(files: Files, summary: string, entries: readonly NavigationEntry[]): Outline {
  const building: Building = { files, summary, pages: [], warnings: [], used: new Set() };
  addAll(building, entries, undefined, 1);
  for (const path of unlistedIn(building)) building.warnings.push({ kind: 'unlisted_page', path });
  return { pages: building.pages, warnings: building.warnings };
}

/**
 * The pages that a navigation lists, then the others in the order of their names, in the page or group of their folder
 * if there is one. `source`: the file that has it.
 */
export function outlineOfNavigation(files: Files, source: string, entries: readonly NavigationEntry[]): Outline {
  const building: Building = { files, summary: source, pages: [], warnings: [], used: new Set() };
  addAll(building, entries, undefined, 1);
  const unlisted = new Set(unlistedIn(building));
  const message = 'It stands behind the pages that are listed';
  if (source !== '')
    for (const path of unlisted) building.warnings.push({ kind: 'unlisted_page', path, target: source, message });
  for (const { home, below, paths } of byHomes(building.pages, unlisted)) {
    const others = new Map([...files].filter(([path]) => paths.has(path)));
    addAll(building, entriesOfFolders(others, undefined, below), home, depthIn(building, home));
  }
  return { pages: building.pages, warnings: building.warnings };
}

/** How deep pages lie that stand in the page at a place. */
function depthIn({ pages }: Building, home: number | undefined): number {
  let depth = 1;
  for (let at = home; at !== undefined; at = pages[at]?.parent) depth += 1;
  return depth;
}

function unlistedIn({ files, summary, used }: Building): string[] {
  return [...files.keys()].filter((path) => isPageIn(summary, path) && path !== summary && !used.has(path));
}

/** Whether a file is a page where the navigation stands in `summary`. */
export function isPageIn(summary: string, path: string): boolean {
  return isHtmlPage(summary) ? isHtmlPage(path) : isPageFile(path);
}

function addAll(
  building: Building,
  entries: readonly NavigationEntry[],
  parent: number | undefined,
  depth: number,
): void {
  for (const entry of entries) {
    const page = pageOf(building, entry, parent);
    if (page === undefined) continue;
    requireDepth(page.path ?? page.folder?.replace(/\/$/, '') ?? page.title, depth);
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

function pageOf(building: Building, entry: NavigationEntry, parent: number | undefined): OutlinePage | undefined {
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
      return listedPage(building, entry);
    case 'file':
      return { ...filePage(building, entry.path, shortTitle(entry.title)), ...named(entry) };
    case 'section':
      return sectionOf(entry, parent === undefined);
  }
}

type Entry<Type> = Extract<NavigationEntry, { type: Type }>;

function named({ isNamed, slug }: Entry<'file'>): Pick<OutlinePage, 'isNamed' | 'slug'> {
  return { ...(isNamed === undefined ? {} : { isNamed }), ...(slug === undefined ? {} : { slug }) };
}

function sectionOf({ title, slug, folder, description, isPage }: Entry<'section'>, isTop: boolean): OutlinePage {
  return {
    type: isTop && isPage !== true ? 'group' : 'document',
    title: shortTitle(title),
    ...(slug === undefined ? {} : { slug }),
    ...(folder === undefined ? {} : { folder }),
    ...(description === undefined ? {} : { description: cutText(description, contentBounds.description) }),
  };
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

function listedPage(building: Building, entry: Entry<'page'>): OutlinePage | undefined {
  const { files, warnings, summary } = building;
  const [address = '', anchor] = entry.path.split('#', 2);
  const folder = summary.split('/').slice(0, -1);
  const { above, path: plain } = joined(folder, decoded(address));
  const path =
    above > 0
      ? undefined
      : [plain, `${plain}.md`, `${plain}.mdx`, `${plain}/README.md`, `${plain}/index.md`].find((one) => files.has(one));
  const title = shortTitle(entry.title);
  if (path === undefined || !isPageIn(summary, path)) {
    warnings.push({ kind: 'missing_page', path: summary, target: entry.path });
    return entry.entries.length === 0 ? undefined : { type: 'document', title };
  }
  return filePage(building, path, title, anchor);
}

function filePage({ used }: Building, path: string, title: string, anchor?: string): OutlinePage {
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
