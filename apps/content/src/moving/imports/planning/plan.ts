import { contentBounds, limitReached, type ImportWarning } from '@scriptorium/contracts';
import { includesFolder } from '../../archive-format/index.js';
import { isHtmlPage, isPageFile, titleOfName, type Files } from '../folder.js';
import type { PlannedFile, PlannedInclude, PlannedItem } from '../item.js';
import { isCategoryFile } from '../navigation/docusaurus.js';
import { isPagesFile } from '../navigation/pages-files.js';
import { idOf, knownOf } from './described.js';
import { outlineOfNavigation, outlineOfSummary, type Outline } from './outline.js';
import { isWhole, pagesOfManifest, pagesOfOutline, unreadable } from './plan-pages.js';
import type { Planning } from './planning.js';
import { byPaths, presentOf, type PresentContent, type PresentOther } from './present.js';

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

/**
 * The item gets a new id. All items of an import do when one of their ids is taken, so that links between them are
 * renamed together.
 */
function forgetId(item: PlannedItem): void {
  if (item.id === undefined) return;
  item.formerId = item.id;
  delete item.id;
}

function outlineOf({ files, summary, navigation }: Planning): Outline {
  if (summary !== undefined) return outlineOfSummary(files, summary.path, summary.entries);
  const { path = '', entries = [] } = navigation ?? {};
  return outlineOfNavigation(files, path, entries);
}

const isInclude = (path: string): boolean => path.startsWith(`${includesFolder}/`) && /\.(mdx?|markdown)$/i.test(path);

function includesOf({ files, manifest, present }: Planning): PlannedInclude[] {
  const known = new Map((manifest?.reusableContents ?? []).map((content) => [content.path, content]));
  const used = new Set<string>();
  const includes = [...files].filter(([path]) => isInclude(path));
  const presentAt = presentOthers(present, includes);
  return includes.map(([path, entry], n) => {
    const former = known.get(path);
    const there = presentAt.get(path);
    return {
      kind: 'include' as const,
      n,
      path,
      title: former?.record.title ?? titleOfName(path),
      entry,
      ...idOf(used, former, there),
      ...knownOf(files, former),
      ...importedFromOf(former),
      ...unreadable(entry.size),
      ...(there === undefined ? {} : { present: presentOf({ ...there, createdAt: '', order: '' }) }),
    };
  });
}

function presentOthers(
  { others }: PresentContent,
  files: readonly (readonly [path: string, entry: unknown])[],
): Map<string, PresentOther> {
  return byPaths(others, new Set(files.map(([path]) => path)));
}

/** What comes from an export came from another file before. */
function importedFromOf(
  former: { record: { importedFrom?: { path: string } | undefined } } | undefined,
): Pick<PlannedInclude, 'importedFrom'> {
  return former === undefined ? {} : { importedFrom: former.record.importedFrom ?? null };
}

/** Everything that a page may show or link to, and that is neither a page nor a part of the settings. */
function filesOf({ files, manifest, present, summary }: Planning): PlannedFile[] {
  const known = new Map((manifest?.files ?? []).map((file) => [file.path, file]));
  const used = new Set<string>();
  const isOther = isHtmlPage(summary?.path ?? '') ? isOfHtmlSpace : (path: string) => !isPageFile(path);
  const others = [...files].filter(([path]) => isOther(path) && !isSetting(path));
  const presentAt = presentOthers(present, others);
  return others.map(([path, entry], n) => {
    const former = known.get(path);
    return {
      kind: 'file' as const,
      n,
      path,
      entry,
      ...idOf(used, former, presentAt.get(path)),
      ...(former === undefined ? {} : { record: former.record as NonNullable<PlannedFile['record']> }),
    };
  });
}

/** Whether a file of a space of Confluence is no page, and no part of how the export looks. */
function isOfHtmlSpace(path: string): boolean {
  return !isHtmlPage(path) && !/^(styles|images\/icons)\//.test(path);
}

function isSetting(path: string): boolean {
  return (
    path.startsWith('.scriptorium/') ||
    isInclude(path) ||
    /^\.gitbook(\.yaml|\/[^/]*\.yaml)$/.test(path) ||
    isOrder(path)
  );
}

/** Whether a file only says how its folder is shown in the navigation. */
function isOrder(path: string): boolean {
  return isPagesFile(path) || isCategoryFile(path);
}

function requireRoom({ limits }: Planning, pages: readonly unknown[], includes: readonly unknown[]): void {
  const refuse = (limit: keyof typeof limits): never => {
    throw limitReached(limit, limits[limit]);
  };
  if (pages.length > limits.pagesPerSpace) refuse('pagesPerSpace');
  if (includes.length > limits.reusableContentsPerSpace) refuse('reusableContentsPerSpace');
}
