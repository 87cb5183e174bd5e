import { isPageFile, joined, within, type Files } from '../folder.js';
import { versionsIn, type DocVersion } from './doc-versions.js';
import { readMkdocs } from './mkdocs.js';
import { staticExport } from './static-value.js';
import { mapOf, own, textIn } from './yaml-map.js';

/** A project of another product, of which the pages are a folder. */
export interface Project {
  /** The file with its settings. */
  path: string;
  /** The folder of the pages; empty for all files. */
  root: string;
  /** What MkDocs lists. */
  nav?: readonly unknown[] | undefined;
  /** Why the settings cannot be read. */
  problem?: string | undefined;
  /** Where Docusaurus has its sidebars, if it has any, and the files that a site has beside its pages. */
  sidebars?: string | undefined;
  static?: string;
  /** The version of the pages of Docusaurus, unless it is the current one, and the others, the greatest first. */
  version?: string;
  versions?: readonly DocVersion[];
}

/** The settings of projects: `mkdocs.yml`, `docusaurus.config.js`. */
const settingsFile = /(?:^|\/)(?:mkdocs\.ya?ml|docusaurus\.config\.[cm]?[jt]s)$/;

/** Whether a project is one of MkDocs. */
export function isMkdocs({ path }: Pick<Project, 'path'>): boolean {
  return /\.ya?ml$/.test(path);
}

/** The one project of an import, at the top or below it; `undefined` for none, several, and one without pages. */
export function projectIn(all: Files, read: (path: string) => string | undefined): Project | undefined {
  const found = [...all.keys()].filter((path) => settingsFile.test(path));
  const atTop = found.filter((path) => !path.includes('/'));
  const [path, ...others] = atTop.length > 0 ? atTop : found;
  if (path === undefined || others.length > 0) return undefined;
  const text = read(path);
  const folder = path.split('/').slice(0, -1);
  if (isMkdocs({ path })) return mkdocsAt(path, folder, { all, text });
  const project = text === undefined ? undefined : docusaurusAt(path, folder, { all, text });
  if (project === undefined || hasPages(all, project.root)) return project;
  const [latest] = project.versions ?? [];
  return latest && projectOfVersion(project, latest.root);
}

function hasPages(all: Files, root: string): boolean {
  return [...within(all, root).keys()].some(isPageFile);
}

/** The project with the pages of one of its other versions, by the folder of these; `undefined` for none. */
export function projectOfVersion(project: Project, root: string): Project | undefined {
  const { versions = [] } = project;
  const found = versions.find((one) => one.root === root);
  if (found === undefined) return undefined;
  const { name: version, sidebars } = found;
  return { ...project, root, sidebars, version, versions: versions.filter((one) => one !== found) };
}

function mkdocsAt(
  path: string,
  folder: readonly string[],
  { all, text }: { all: Files; text: string | undefined },
): Project | undefined {
  const settings = readMkdocs(text);
  // Where the pages stand is not known without the settings, if it is not the usual folder.
  const roots = [insideOf(folder, settings.folder), settings.problem === undefined ? undefined : folder.join('/')];
  const root = roots.find((one) => one !== undefined && hasPages(all, one));
  return root === undefined ? undefined : { path, root, nav: settings.nav, problem: settings.problem };
}

/** A path from a folder; `undefined` for one that leads out of the import. */
function insideOf(folder: readonly string[], path: string): string | undefined {
  const { above, path: found } = joined(folder, path.replace(/^\/+/, ''));
  return above > 0 ? undefined : found;
}

const sidebarNames = ['js', 'ts', 'json', 'cjs', 'mjs', 'cts', 'mts'].map((ending) => `sidebars.${ending}`);

function docusaurusAt(
  path: string,
  folder: readonly string[],
  { all, text }: { all: Files; text: string },
): Project | undefined {
  const docs = docsOptions(text, path.endsWith('ts'));
  const root = insideOf(folder, docs.path ?? 'docs');
  if (root === undefined) return undefined;
  const named = docs.sidebarPath === undefined ? sidebarNames : [docs.sidebarPath];
  const sidebars = named.map((name) => insideOf(folder, name)).find((one) => one !== undefined && all.has(one));
  const versions = versionsIn(all, folder.map((part) => `${part}/`).join(''));
  return { path, root, sidebars, static: insideOf(folder, 'static') ?? 'static', versions };
}

/** What the settings say of the pages: as they are written out, else in the lines that name it. */
function docsOptions(text: string, isTyped: boolean): { path?: string | undefined; sidebarPath?: string | undefined } {
  const presets = own(mapOf(staticExport(text, isTyped)), 'presets');
  for (const preset of Array.isArray(presets) ? (presets as unknown[]) : []) {
    const options = Array.isArray(preset) ? mapOf(preset[1]) : undefined;
    const docs = mapOf(own(options, 'docs'));
    if (docs !== undefined) return { path: textIn(own(docs, 'path')), sidebarPath: textIn(own(docs, 'sidebarPath')) };
  }
  const [, path] = /\bdocs\s*:\s*\{[^{}]{0,2000}?\bpath\s*:\s*['"]([^'"\n]{1,500})['"]/.exec(text) ?? [];
  const [, sidebarPath] = /\bsidebarPath\s*:\s*(?:require\.resolve\()?\s*['"]([^'"\n]{1,500})['"]/.exec(text) ?? [];
  return { path, sidebarPath };
}

/** The files of the pages with those that stand at the top of the site. `all`: those of the import. */
export function withStatic(files: Files, all: Files, folder: string | undefined): Files {
  if (folder === undefined) return files;
  const beside = [...within(all, folder)].filter(([path]) => !isPageFile(path) && !files.has(path));
  return beside.length === 0 ? files : new Map([...files, ...beside]);
}
