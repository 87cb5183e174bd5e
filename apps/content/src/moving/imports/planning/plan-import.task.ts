import { importBounds, type ImportWarning } from '@scriptorium/contracts';
import { createHash } from 'node:crypto';
import {
  Manifest,
  bookPath,
  configPath,
  manifestPath,
  readSummary,
  variablesPath,
} from '../../archive-format/index.js';
import type { Entry, Range } from '../entry.js';
import { projectIn, projectOfVersion, type Project } from '../navigation/project.js';
import { readNavigation } from '../navigation/read-navigation.js';
import { chosenFolder, type ChosenFolder } from './chosen-folder.js';
import { compiles } from './condition.js';
import { entriesOfIndex, htmlIndexPath, htmlSpaceIn } from './html-index.js';
import { withoutTopFolder, type Files } from '../folder.js';
import { outsideFiles } from './outside-files.js';
import { listEntries, tooMany, type ArchiveEnd } from '../archive/list-entries.task.js';
import { partReader, type PartReader } from './part-reader.js';
import { plan } from './plan.js';
import type { Planning } from './planning.js';
import type { PresentContent } from './present.js';
import { safePath } from '../archive/archive-names.js';
import { tooLarge, unfit } from '../refusal.js';
import { readBook, readConfig, readVariables } from './settings-files.js';

/** An upload that is a file itself. */
export interface SingleFile {
  archive: number;
  /** Its path. */
  name: string;
  size: number;
}

export interface PlanInput {
  sources: readonly (ArchiveEnd | SingleFile)[];
  /** Parts that were asked for, by their keys. */
  parts: Readonly<Record<string, Uint8Array>>;
  /** What is there, as JSON: it is large, and a text is copied at once. */
  taken: string;
  present: string;
  isInPage: boolean;
  depth: number;
  limits: Planning['limits'];
  /** Only the number of pages is wanted: their order does not matter. */
  isCount?: boolean;
}

/**
 * Either what has to be read first, or the plan. `items`: JSON of some items each, so that nobody has to read all at
 * once.
 */
export type PlanOutput =
  | { needs: Range[] }
  | {
      items: string[];
      total: number;
      pages: number;
      variables: Record<string, string>;
      warnings: ImportWarning[];
      moreWarnings: number;
    };

const itemsTogether = 250;

/** Reads the tables of contents of archives, and plans what is made of them. */
export async function planImport(input: PlanInput): Promise<PlanOutput> {
  const listed = await allFiles(input);
  if ('needs' in listed) return listed;
  const all = withoutTopFolder(listed.files);
  const reader = partReader(input.parts);
  const chosen = folderIn(all, reader);
  if (chosen === undefined) return { needs: reader.needs };
  const { files, root, isBook } = chosen;
  const texts = textsIn(chosen, reader);
  const { manifest, variables: settings } = texts;
  const summary = navigationIn(files, texts);
  const isOrdered = summary !== undefined || manifest !== undefined || input.isCount === true;
  const navigation = isOrdered ? undefined : readNavigation({ ...chosen, all, reader });
  if (reader.needs.length > 0) return { needs: reader.needs };
  const known = manifest === undefined ? undefined : readManifest(manifest);
  const made = plan({
    ...planningOf(input),
    files,
    manifest: known,
    summary: summary && { ...summary, isKnown: isKnown(known, texts.summary) },
    navigation,
  });
  const { variables, warnings } = settings === undefined ? { variables: {}, warnings: [] } : readVariables(settings);
  const unread: ImportWarning[] =
    manifest !== undefined && known === undefined ? [{ kind: 'not_supported', path: manifestPath }] : [];
  const items = [...made.items, ...(isBook ? outsideFiles(all, root, made.items) : [])];
  const ofNavigation = navigation?.warnings ?? [];
  const allWarnings = [...chosen.warnings, ...unread, ...warnings, ...ofNavigation, ...made.warnings];
  return {
    items: inParts(items),
    total: items.length,
    pages: made.items.filter(({ kind }) => kind === 'page').length,
    variables,
    warnings: allWarnings.slice(0, importBounds.warnings),
    moreWarnings: Math.max(0, allWarnings.length - importBounds.warnings),
  };
}

interface PagesFolder extends ChosenFolder {
  isBook: boolean;
  /** The project that says where the folder is. */
  project: Project | undefined;
}

/** The folder of the pages; `undefined` as long as bytes are not there that say which one it is. */
function folderIn(all: Files, { text, small, needs }: PartReader): PagesFolder | undefined {
  const read = (path: string) => text(all, path, importBounds.summaryBytes);
  const [config, bookText, found] = [
    readConfig(read(configPath)),
    read(bookPath),
    projectIn(all, (path) => small(all, path)),
  ];
  if (needs.length > 0) return undefined;
  const book = bookText === undefined ? undefined : readBook(bookText);
  const project = found && (projectOfVersion(found, config.root) ?? found);
  const chosen = chosenFolder(all, { config, book, project, read });
  const warnings = [...config.warnings, ...chosen.warnings];
  const isOfProject = project !== undefined && chosen.root === project.root;
  return { ...chosen, warnings, isBook: book !== undefined, project: isOfProject ? project : undefined };
}

/** The files of a folder that say what is in it, as far as their bytes are there. */
function textsIn({ files, summary: path }: ChosenFolder, { text }: PartReader): Texts {
  return {
    path,
    summary: path === undefined ? undefined : text(files, path, importBounds.summaryBytes),
    index: text(htmlSpaceIn(files, path), htmlIndexPath, importBounds.summaryBytes),
    manifest: text(files, manifestPath, importBounds.manifestBytes),
    variables: text(files, variablesPath, importBounds.summaryBytes),
  };
}

function isKnown(manifest: Manifest | undefined, summary: string | undefined): boolean {
  return summary !== undefined && manifest?.summary === sha256(summary);
}

interface Texts {
  /** The path of `SUMMARY.md`. */
  path: string | undefined;
  /** The texts of `SUMMARY.md`, and of the index of a space of Confluence. */
  summary: string | undefined;
  index: string | undefined;
  manifest: string | undefined;
  variables: string | undefined;
}

function navigationIn(files: Files, { path, summary, index }: Texts): Omit<Summary, 'isKnown'> | undefined {
  if (path !== undefined && summary !== undefined) return { path, entries: readSummary(summary) };
  const entries = index === undefined ? undefined : entriesOfIndex(files, index);
  return entries && { path: htmlIndexPath, entries };
}

type Summary = NonNullable<Planning['summary']>;

function planningOf({ taken, present, isInPage, depth, limits }: PlanInput) {
  return {
    taken: new Set(JSON.parse(taken) as string[]),
    present: JSON.parse(present) as PresentContent,
    isInPage,
    depth,
    limits,
  };
}

/** The files of all sources together. */
async function allFiles({ sources }: PlanInput): Promise<{ files: Files } | { needs: Range[] }> {
  const files = new Map<string, Entry>();
  const needs: Range[] = [];
  let bytes = 0;
  for (const source of sources) {
    const listed = 'end' in source ? await listEntries(source) : { files: singleFile(source) };
    if ('needs' in listed) {
      needs.push({ archive: source.archive, start: listed.needs, end: source.size });
      continue;
    }
    for (const [path, entry] of listed.files) {
      if (files.has(path)) throw unfit(path, 'It is there twice');
      files.set(path, entry);
      bytes += entry.size;
    }
  }
  if (files.size > importBounds.entries) throw tooLarge('The import', tooMany);
  if (bytes > importBounds.bytes) throw tooLarge('The import', `More than ${importBounds.bytes} bytes, unpacked`);
  return needs.length > 0 ? { needs } : { files };
}

function singleFile({ archive, name, size }: SingleFile): Map<string, Entry> {
  return new Map([
    [safePath(name), { archive, offset: 0, name: 0, packed: size, size, crc: 0, method: 'whole' as const }],
  ]);
}

/** The manifest of an export; `undefined` for one that something else has written. */
function readManifest(text: string): Manifest | undefined {
  try {
    const given: unknown = JSON.parse(text);
    const parsed = isShort(given) ? Manifest.safeParse(given) : undefined;
    return parsed?.success === true && parsed.data.pages.every(({ record }) => compiles(record.condition))
      ? parsed.data
      : undefined;
  } catch {
    return undefined;
  }
}

/** Whether no list of a manifest is longer than it can be: to look for what is wrong in it would take too long. */
function isShort(given: unknown): boolean {
  const lists = Object.values(given ?? {}).filter((value) => Array.isArray(value));
  return lists.every(({ length }) => length <= importBounds.entries);
}

function inParts(items: readonly unknown[]): string[] {
  const parts: string[] = [];
  for (let start = 0; start < items.length; start += itemsTogether)
    parts.push(JSON.stringify(items.slice(start, start + itemsTogether)));
  return parts;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
