import { contentBounds, limitReached, type ImportWarning } from '@scriptorium/contracts';
import { includesFolder, objectPath, type Manifest, type SummaryEntry } from '../../archive-format/index.js';
import { isPageFile, titleOfName, type Files } from '../folder.js';
import type { BroughtObject, Known, PlannedFile, PlannedInclude, PlannedItem, PlannedPage, Present } from '../item.js';
import { outlineOfFolders, outlineOfSummary, requireDepth, type Outline } from './outline.js';
import { tooLarge } from '../refusal.js';

/** What is there, and how it is to be taken. */
export interface Planning {
  files: Files;
  /** The table of contents, if there is one. `isKnown`: it is the one that the manifest was written with. */
  summary?: { path: string; entries: readonly SummaryEntry[]; isKnown: boolean } | undefined;
  manifest?: Manifest | undefined;
  /** Ids that are taken where the pages go. */
  taken: ReadonlySet<string>;
  /** What is replaced, by the paths that it would have in an export. */
  present: ReadonlyMap<string, Present & { id: string }>;
  /** Pages stand in a page: there are no groups. */
  isInPage: boolean;
  /** How deep that page lies. */
  depth: number;
  limits: Record<'pagesPerSpace' | 'filesPerSpace' | 'reusableContentsPerSpace', number>;
}

export interface Plan {
  items: PlannedItem[];
  warnings: ImportWarning[];
}

/** What an import is going to make. @throws AppError `content_change_invalid`, `too_large` and `limit_reached` */
export function plan(given: Planning): Plan {
  const { files, tooLong } = withoutTooLong(given.files);
  const planning = { ...given, files };
  const { manifest, taken } = planning;
  const usable = manifest !== undefined && planning.summary?.isKnown === true && isWhole(manifest, files);
  const outline = usable ? { pages: [], warnings: [] } : outlineOf(planning);
  const pages = usable ? pagesOfManifest(planning, manifest) : pagesOfOutline(planning, outline);
  const includes = includesOf(planning);
  const others = filesOf(planning);
  requireRoom(planning, pages, includes);
  const items = [...pages, ...includes, ...others];
  if (items.some(({ id }) => id !== undefined && taken.has(id))) for (const item of items) forgetId(item);
  return { items, warnings: [...tooLong, ...outline.warnings] };
}

/** Files that are larger than a file can be are left out: a folder may have some that nothing needs. */
function withoutTooLong(all: Files): { files: Files; tooLong: ImportWarning[] } {
  const isTooLong = ({ size }: { size: number }): boolean => size > contentBounds.fileBytes;
  const tooLong = [...all]
    .filter(([, entry]) => isTooLong(entry))
    .map(([path]) => ({ kind: 'too_large' as const, path }));
  return tooLong.length === 0
    ? { files: all, tooLong }
    : { files: new Map([...all].filter(([, entry]) => !isTooLong(entry))), tooLong };
}

/** The item gets a new id. All items of an import do when one of their ids is taken, so that links between them are renamed together. */
function forgetId(item: PlannedItem): void {
  if (item.id === undefined) return;
  item.formerId = item.id;
  delete item.id;
}

function outlineOf({ files, summary }: Planning): Outline {
  return summary === undefined ? outlineOfFolders(files) : outlineOfSummary(files, summary.path, summary.entries);
}

/** Whether the pages of a manifest are all there, parents before their children, and each once. */
function isWhole({ pages }: Manifest, files: Files): boolean {
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

function pagesOfManifest({ files, isInPage, depth }: Planning, manifest: Manifest): PlannedPage[] {
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
      ...(path === undefined || entry === undefined ? {} : { path, entry }),
      ...knownOf(files, described),
      ...(target === undefined ? {} : { target }),
      ...(computed === undefined ? {} : { computed }),
    };
  });
}

/** A stored object of an archive; `undefined` when it is not there, or too large for what it is. */
function brought(files: Files, name: string | undefined, most = largestObject): BroughtObject | undefined {
  const entry = name === undefined ? undefined : files.get(objectPath(name));
  if (name === undefined || entry === undefined || entry.size > most) return undefined;
  return { name, entry };
}

const largestObject = 2 * contentBounds.documentBytes;
const largestAttributes = 256 * 1024;

interface Described {
  sha256?: string | undefined;
  record: { document?: string | undefined; attributes?: string | undefined };
}

/** What the manifest brings for a file; nothing when a part of it is missing. */
function knownOf(files: Files, described: Described | undefined): { known?: Known; attributes?: BroughtObject } {
  const { sha256, record: { document: name, attributes: more } = {} } = described ?? {};
  const [document, attributes] = [brought(files, name), brought(files, more, largestAttributes)];
  if (more !== undefined && attributes === undefined) return {};
  return {
    ...(document === undefined || sha256 === undefined ? {} : { known: { sha256, document } }),
    ...(attributes === undefined ? {} : { attributes }),
  };
}

function pagesOfOutline({ files, manifest, present, isInPage, depth }: Planning, { pages }: Outline): PlannedPage[] {
  const known = new Map((manifest?.pages ?? []).map((page) => [page.path, page]));
  const used = new Set<string>();
  if (depth > 0) for (const page of pages) requireDepth(page.path ?? page.title, depth + 1);
  return pages.map((page, n) => {
    const type = page.type === 'group' && isInPage ? 'document' : page.type;
    const planned = { ...page, kind: 'page' as const, n, type };
    const entry = page.path === undefined ? undefined : files.get(page.path);
    if (entry === undefined || page.path === undefined) return planned;
    const there = present.get(page.path);
    const former = known.get(page.path);
    const own = idOf(used, former, there);
    return {
      ...planned,
      entry,
      ...own,
      ...(former === undefined ? {} : { record: former.record, ...knownOf(files, former) }),
      ...(there === undefined ? {} : { present: presentOf(there) }),
    };
  });
}

/** The id of what comes from a file: that of the manifest, then that of what is there, unless something else has it. */
function idOf(used: Set<string>, ...owners: readonly ({ id: string } | undefined)[]): { id?: string } {
  const id = owners.find((owner) => owner !== undefined && !used.has(owner.id))?.id;
  if (id === undefined) return {};
  used.add(id);
  return { id };
}

function presentOf({ id: _, ...present }: Present & { id: string }): Present {
  return present;
}

const isInclude = (path: string): boolean => path.startsWith(`${includesFolder}/`) && /\.(md|markdown)$/i.test(path);

function includesOf({ files, manifest, present }: Planning): PlannedInclude[] {
  const known = new Map((manifest?.reusableContents ?? []).map((content) => [content.path, content]));
  const used = new Set<string>();
  return [...files]
    .filter(([path]) => isInclude(path))
    .map(([path, entry], n) => {
      const former = known.get(path);
      const there = present.get(path);
      return {
        kind: 'include' as const,
        n,
        path,
        title: former?.record.title ?? titleOfName(path),
        entry,
        ...idOf(used, former, there),
        ...knownOf(files, former),
        ...(there === undefined ? {} : { present: presentOf(there) }),
      };
    });
}

/** Everything that a page may show or link to, and that is neither a page nor a part of the settings. */
function filesOf({ files, manifest, present }: Planning): PlannedFile[] {
  const known = new Map((manifest?.files ?? []).map((file) => [file.path, file]));
  const used = new Set<string>();
  const others = [...files].filter(([path]) => !isPageFile(path) && !isSetting(path));
  return others.map(([path, entry], n) => {
    const former = known.get(path);
    return {
      kind: 'file' as const,
      n,
      path,
      entry,
      ...idOf(used, former, present.get(path)),
      ...(former === undefined ? {} : { record: former.record as NonNullable<PlannedFile['record']> }),
    };
  });
}

function isSetting(path: string): boolean {
  return path.startsWith('.scriptorium/') || isInclude(path) || /^\.gitbook(\.yaml|\/[^/]*\.yaml)$/.test(path);
}

function requireRoom({ limits }: Planning, pages: readonly PlannedPage[], includes: readonly unknown[]): void {
  const refuse = (limit: keyof typeof limits): never => {
    throw limitReached(limit, limits[limit]);
  };
  if (pages.length > limits.pagesPerSpace) refuse('pagesPerSpace');
  if (includes.length > limits.reusableContentsPerSpace) refuse('reusableContentsPerSpace');
  for (const { path, entry } of pages)
    if (path !== undefined && entry !== undefined && entry.size > contentBounds.markdownBytes)
      throw tooLarge(path, `A page has at most ${contentBounds.markdownBytes} bytes`);
}
