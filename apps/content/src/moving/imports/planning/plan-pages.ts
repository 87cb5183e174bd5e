import { contentBounds } from '@scriptorium/contracts';
import type { Manifest } from '../../archive-format/index.js';
import { slugOf } from '../../../versions/pure.js';
import { slugPart, type Files } from '../folder.js';
import type { ManifestPage, PlannedPage } from '../item.js';
import { keptFields } from '../kept-fields.js';
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
  const there = presentPagesOf(planning.present.pages, typed, formers);
  const described = presentPagesOf((manifest?.pages ?? []).map(asPresent), typed, new Set());
  const records = new Map((manifest?.pages ?? []).map(({ id, record }) => [id, record]));
  const used = new Set<string>();
  return typed.map((page, n) => {
    const present = there.get(n);
    const planned = { ...page, kind: 'page' as const, n };
    const entry = page.path === undefined ? undefined : files.get(page.path);
    if (entry === undefined) {
      const former = described.get(n);
      const before = present ?? former;
      return {
        ...planned,
        ...idOf(used, former, present),
        ...(before === undefined ? {} : { present: presentOf(before) }),
        ...keptOf(former && records.get(former.id)),
      };
    }
    const former = known.get(page.path);
    return {
      ...planned,
      ...idOf(used, former, present),
      entry,
      ...unreadable(entry.size),
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

/** A page of a manifest as if it were there. */
function asPresent({ id, path, record }: Manifest['pages'][number]): PresentPage {
  const { type, title, parent, target, createdAt, order, slug } = record;
  return {
    id,
    type,
    title,
    createdAt,
    order,
    ...(path === undefined ? {} : { path }),
    ...(parent === undefined ? {} : { parent }),
    ...(target === undefined ? {} : { target }),
    ...(slug === undefined ? {} : { slug }),
  };
}

/** What the manifest says of a page without a file, which `SUMMARY.md` cannot say. */
function keptOf(record: ManifestPage | undefined): Pick<PlannedPage, 'kept'> {
  return record === undefined ? {} : { kept: keptFields(record) };
}

/**
 * What is there of the pages of an outline, by their places in it: by their files, then, from the top down, by what
 * they are in the same parent, or by what stands in them. `taken`: ids that the manifest gives to others.
 */
function presentPagesOf(
  present: readonly PresentPage[],
  pages: readonly OutlinePage[],
  taken: ReadonlySet<string>,
): Map<number, PresentPage> {
  const found = new Map<number, PresentPage>();
  const used = new Set(taken);
  const sourceOf = ({ path, folder }: OutlinePage): string | undefined => path ?? folder;
  const wanted = new Set(pages.flatMap((page) => sourceOf(page) ?? []));
  const byPath = byPaths(present, wanted);
  for (const [n, page] of pages.entries()) {
    const there = byPath.get(sourceOf(page) ?? '');
    if (there === undefined || used.has(there.id)) continue;
    found.set(n, there);
    used.add(there.id);
  }
  const finder = createFinder(present);
  matchInParents(pages, finder, { found, used });
  if (matchRenamedGroups(pages, present, { found, used })) matchInParents(pages, finder, { found, used });
  return found;
}

interface Matched {
  /** By the places of pages of the outline. */
  found: Map<number, PresentPage>;
  used: Set<string>;
}

function matchInParents(
  pages: readonly OutlinePage[],
  finder: ReturnType<typeof createFinder>,
  { found, used }: Matched,
): void {
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
}

/**
 * A group, or a page without a file, that has another title than before is the one that the first page in it was in, if
 * nothing else is that. The innermost come first. @returns whether there are any
 */
function matchRenamedGroups(
  pages: readonly OutlinePage[],
  present: readonly PresentPage[],
  { found, used }: Matched,
): boolean {
  const byId = new Map(present.map((page) => [page.id, page]));
  const inside = new Map<number, PresentPage>();
  let some = false;
  for (const [n, page] of [...pages.entries()].reverse()) {
    const around = byId.get(inside.get(n)?.parent ?? '');
    if (!found.has(n) && around !== undefined && !used.has(around.id) && isSameKind(page, around)) {
      found.set(n, around);
      used.add(around.id);
      some = true;
    }
    const own = found.get(n);
    if (page.parent !== undefined && own !== undefined) inside.set(page.parent, own);
  }
  return some;
}

function isSameKind({ type, path, folder }: OutlinePage, there: PresentPage): boolean {
  return path === undefined && folder === undefined && there.type === type && there.importedFrom === undefined;
}
