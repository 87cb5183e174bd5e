import type { ImportWarning } from '@scriptorium/contracts';
import { bookPath, configPath, readSummary, summaryPath } from '../../archive-format/index.js';
import { cutText, isPageFile, within, type Files } from '../folder.js';
import type { DocVersion } from '../navigation/doc-versions.js';
import { withStatic, type Project } from '../navigation/project.js';
import { outlineOfSummary } from './outline.js';
import { unfit } from '../refusal.js';
import type { FolderConfig } from './settings-files.js';

/** The folder of an import in which its pages are. */
export interface ChosenFolder {
  files: Files;
  /** The path of the folder; empty for all files. */
  root: string;
  /** The file with its navigation, if it has one. */
  summary: string | undefined;
  /** Files that do not stand in it. */
  warnings: ImportWarning[];
}

interface Settings {
  config: FolderConfig;
  /** What a book (mdBook) says. */
  book: { root: string } | undefined;
  /** The project of another product that the pages are a folder of. */
  project?: Project | undefined;
  /** The text of a file; `undefined` as long as its bytes are not there. */
  read: (path: string) => string | undefined;
}

/**
 * The folder that the settings name, which can be that of a version of a project, else that of a book or of another
 * product's project, else the one with the only `SUMMARY.md` that most pages stand beside or below, else all files.
 *
 * @throws AppError `content_change_invalid` for a folder that the settings name, and that has no files
 */
export function chosenFolder(all: Files, { config, book, project, read }: Settings): ChosenFolder {
  if (all.size === 0) throw unfit('The import', 'It has no files');
  if (config.root !== '') return namedFolder(all, config, project);
  const summary = summaryIn(all, config.summary);
  if (summary !== undefined || config.summary !== summaryPath) return { files: all, root: '', summary, warnings: [] };
  const inBook = book !== undefined && summaryIn(within(all, book.root), summaryPath) !== undefined;
  if (inBook && book.root !== '') return folderAt(all, { root: book.root, summary: summaryPath, path: bookPath });
  if (project !== undefined) return folderOfProject(all, project);
  const found = onlySummary(all);
  const text = found === undefined ? undefined : read(found);
  if (found === undefined || text === undefined) return { files: all, root: '', summary, warnings: [] };
  const chosen = folderAt(all, { root: found.slice(0, found.lastIndexOf('/')), summary: summaryPath, path: found });
  // Otherwise it is a page that is called so.
  return listsPages(chosen.files, text) ? chosen : { files: all, root: '', summary, warnings: [] };
}

function namedFolder(all: Files, config: FolderConfig, project: Project | undefined): ChosenFolder {
  const isVersion = project?.version !== undefined && project.root === config.root;
  return isVersion ? folderOfProject(all, project) : folderAt(all, config);
}

/** Its navigation is that of its settings, unless these have none and there is a `SUMMARY.md`. */
function folderOfProject(all: Files, project: Project): ChosenFolder {
  const { root, path, nav, static: beside } = project;
  const versions = (project.versions ?? []).slice(0, mostVersions);
  const chosen =
    root === ''
      ? { files: all, root, summary: summaryIn(all, summaryPath), warnings: [] }
      : folderAt(all, {
          root,
          summary: summaryPath,
          path,
          beside: [project.sidebars, beside && `${beside}/`, ...versions.flatMap(filesOf)],
        });
  const files = withStatic(chosen.files, all, beside);
  const warnings = [...versions.map((version) => leftVersion(path, version)), ...chosen.warnings];
  return { ...chosen, files, warnings, summary: nav === undefined ? chosen.summary : undefined };
}

/** Versions that are named each by itself. */
const mostVersions = 20;

function filesOf({ root, sidebars }: DocVersion): (string | undefined)[] {
  return [`${root}/`, sidebars];
}

function leftVersion(path: string, { name, root, pages }: DocVersion): ImportWarning {
  const count = `${pages} ${pages === 1 ? 'page' : 'pages'}`;
  const message = `The version ${name} (${count}) is left out; a file ${configPath} with the line "root: ${root}" has it imported by itself`;
  return { kind: 'outside_root', path, target: root, message: cutText(message, longestSample) };
}

function listsPages(files: Files, text: string): boolean {
  return outlineOfSummary(files, summaryPath, readSummary(text)).pages.some(({ path }) => path !== undefined);
}

interface FolderPlace extends Pick<FolderConfig, 'root' | 'summary' | 'path'> {
  /** Files and folders elsewhere that are used, too. */
  beside?: readonly (string | undefined)[];
}

function folderAt(all: Files, { root, summary, path, beside = [] }: FolderPlace): ChosenFolder {
  const files = within(all, root);
  if (files.size === 0) throw unfit(root, 'It has no files');
  return { files, root, summary: summaryIn(files, summary), warnings: outside(all, root, [path, ...beside]) };
}

/** A file that is named so, also in other letters. */
function summaryIn(files: Files, named: string): string | undefined {
  if (files.has(named)) return named;
  return [...files.keys()].find((path) => path.toLowerCase() === named.toLowerCase());
}

/** The one `SUMMARY.md` below the top, if the folder that it stands in has most of the pages. */
function onlySummary(files: Files): string | undefined {
  const pages = [...files.keys()].filter(isPageFile);
  const [found, ...others] = pages.filter((path) => path.endsWith(`/${summaryPath}`));
  if (found === undefined || others.length > 0) return undefined;
  const folder = found.slice(0, found.lastIndexOf('/') + 1);
  const inside = pages.filter((path) => path.startsWith(folder));
  return 2 * inside.length > pages.length ? found : undefined;
}

/** Files of a sample. */
const told = 10;
const longestSample = 1_024;

/**
 * One warning for all files that stand elsewhere, with pages first. `used`: the file that says where they should, and
 * other files and folders that count.
 */
function outside(all: Files, root: string, [path = '', ...used]: readonly (string | undefined)[]): ImportWarning[] {
  const isUsed = (one: string): boolean =>
    used.some((two) => one === two || (two?.endsWith('/') && one.startsWith(two)));
  const others = [...all.keys()].filter((one) => one !== path && !one.startsWith(`${root}/`) && !isUsed(one));
  if (others.length === 0) return [];
  const pages = others.filter(isPageFile);
  const sample = [...pages, ...others.filter((one) => !isPageFile(one))].slice(0, told);
  const count = `${others.length} ${others.length === 1 ? 'file' : 'files'}, of which ${pages.length} could be pages`;
  const message = cutText(`${count}: ${sample.join(', ')}${others.length > told ? ', …' : ''}`, longestSample);
  return [{ kind: 'outside_root', path, target: root, message }];
}
