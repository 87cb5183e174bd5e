import { contentBounds } from '@scriptorium/contracts';
import type { Manifest } from '../../archive-format/index.js';
import { slugOf } from '../../../versions/index.js';
import { slugPart, type Files } from '../folder.js';
import type { PlannedPage } from '../item.js';
import { idOf, knownOf } from './described.js';
import { requireDepth, type Outline, type OutlinePage } from './outline.js';
import type { Planning } from './planning.js';
import { byPaths, createFinder, presentOf, type PresentPage } from './present.js';

/** Whether the pages of a manifest are all there, parents before their children, and each once. */
export function isWhole({ pages }: Manifest, files: Files): boolean {
  const seen = new Map<string, string>();
  for (const page of pages) {
    const { id, record } = page;
    const parentType = record.parent === undefined ? 'group' : seen.get(record.parent);
    if (seen.has(id) || parentType === undefined || parentType === 'link' || !isComplete(page, files)) return false;
    seen.set(id, record.type);
  }
  return true;
}

/** Whether a page of a manifest has everything that a page of its type has. */
function isComplete({ path, record }: Manifest['pages'][number], files: Files): boolean {
  if ((record.type === 'link') !== (record.slug === undefined)) return false;
  switch (record.type) {
    case 'document':
      return path !== undefined && record.document !== undefined && files.has(path);
    case 'group':
      return record.parent === undefined;
    case 'link':
      return record.target !== undefined;
    case 'computed':
      return record.computed !== undefined;
  }
}

export function pagesOfManifest({ files, isInPage, depth }: Planning, manifest: Manifest): PlannedPage[] {
  const places = new Map<string, { n: number; depth: number }>();
  return manifest.pages.map((described, n) => {
    const { id, path, record } = described;
    const above = record.parent === undefined ? undefined : places.get(record.parent);
    const own = { n, depth: (above?.depth ?? depth) + 1 };
    requireDepth(path ?? record.title, own.depth);
    places.set(id, own);
    const entry = path === undefined ? undefined : files.get(path);
    const { title, target, computed } = record;
    return {
      kind: 'page' as const,
      n,
      id,
      type: record.type === 'group' && isInPage ? ('document' as const) : record.type,
      title,
      record,
      ...(above === undefined ? {} : { parent: above.n }),
      ...(path === undefined || entry === undefined ? {} : { path, entry, ...unreadable(entry.size, 8) }),
      ...knownOf(files, described),
      ...(target === undefined ? {} : { target }),
      ...(computed === undefined ? {} : { computed }),
    };
  });
}

/** Pages as the outline has them, with what the manifest and the content that is replaced know of them. */
export function pagesOfOutline(planning: Planning, { pages }: Outline): PlannedPage[] {
  const { files, manifest, isInPage, depth } = planning;
  const known = new Map((manifest?.pages ?? []).map((page) => [page.path, page]));
  if (depth > 0) for (const page of pages) requireDepth(page.path ?? page.title, depth + 1);
  const typed = pages.map((page) =>
    page.type === 'group' && isInPage ? { ...page, type: 'document' as const } : page,
  );
  const formers = new Set(typed.flatMap(({ path }) => known.get(path)?.id ?? []));
  const there = presentPagesOf(planning, typed, formers);
  const used = new Set<string>();
  return typed.map((page, n) => {
    const present = there.get(n);
    const planned = { ...page, kind: 'page' as const, n };
    const entry = page.path === undefined ? undefined : files.get(page.path);
    const former = entry === undefined ? undefined : known.get(page.path);
    return {
      ...planned,
      ...idOf(used, former, present),
      ...(entry === undefined ? {} : { entry, ...unreadable(entry.size) }),
      ...(former === undefined ? {} : { record: former.record, ...knownOf(files, former) }),
      ...(present === undefined ? {} : { present: presentOf(present) }),
    };
  });
}

/**
 * What is too long for a page. `times`: what an export has can be longer than what it was made of, and need not be
 * read.
 */
export function unreadable(size: number, times = 1): Pick<PlannedPage, 'unreadable'> {
  const { markdownBytes } = contentBounds;
  return size <= times * markdownBytes
    ? {}
    : { unreadable: `It has ${size} bytes; a page has at most ${markdownBytes}` };
}

/**
 * What is there of the pages of an outline, by their places in it: by their files, then, from the top down, by what
 * they are in the same parent. `taken`: ids that the manifest gives to others.
 */
function presentPagesOf(
  { present }: Pick<Planning, 'present'>,
  pages: readonly OutlinePage[],
  taken: ReadonlySet<string>,
): Map<number, PresentPage> {
  const found = new Map<number, PresentPage>();
  const used = new Set(taken);
  const sourceOf = ({ path, folder }: OutlinePage): string | undefined => path ?? folder;
  const wanted = new Set(pages.flatMap((page) => sourceOf(page) ?? []));
  const byPath = byPaths(present.pages, wanted);
  for (const [n, page] of pages.entries()) {
    const there = byPath.get(sourceOf(page) ?? '');
    if (there === undefined || used.has(there.id)) continue;
    found.set(n, there);
    used.add(there.id);
  }
  const finder = createFinder(present.pages);
  for (const [n, page] of pages.entries()) {
    const parent = page.parent === undefined ? undefined : found.get(page.parent)?.id;
    if (found.has(n) || (page.parent !== undefined && parent === undefined)) continue;
    const part = page.path === undefined ? undefined : slugPart(page.path);
    const slug = part === undefined ? undefined : slugOf(part);
    const there = page.path === undefined ? finder.entry(parent, page, used) : finder.slug(parent, slug, used);
    if (there === undefined) continue;
    found.set(n, there);
    used.add(there.id);
  }
  return found;
}
