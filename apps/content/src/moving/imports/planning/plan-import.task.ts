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
import { rangeOf, type Entry, type Range } from '../entry.js';
import { chosenFolder } from './chosen-folder.js';
import { compiles } from './condition.js';
import { withoutTopFolder, type Files } from '../folder.js';
import { outsideFiles } from './outside-files.js';
import { listEntries, tooMany, type ArchiveEnd } from '../archive/list-entries.task.js';
import { plan } from './plan.js';
import type { Planning } from './planning.js';
import type { PresentContent } from './present.js';
import { safePath } from '../archive/archive-names.js';
import { tooLarge, unfit } from '../refusal.js';
import { readBook, readConfig, readVariables } from './settings-files.js';
import { textOf, unpack } from '../archive/unpack.task.js';

/** An upload that is a file itself. */
export interface SingleFile {
  archive: number;
  /** Its path. */
  name: string;
  size: number;
}

export interface PlanInput {
  sources: readonly (ArchiveEnd | SingleFile)[];
  /** Parts that were asked for, by `<archive>:<start>`. */
  parts: Readonly<Record<string, Uint8Array>>;
  /** What is there, as JSON: it is large, and a text is copied at once. */
  taken: string;
  present: string;
  isInPage: boolean;
  depth: number;
  limits: Planning['limits'];
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
  const read = (path: string) => reader.text(all, path, importBounds.summaryBytes);
  const [config, bookText] = [readConfig(read(configPath)), read(bookPath)];
  if (reader.needs.length > 0) return { needs: reader.needs };
  const book = bookText === undefined ? undefined : readBook(bookText);
  const { files, summary: summaryPath, ...chosen } = chosenFolder(all, { config, book, read });
  const summary = summaryPath === undefined ? undefined : reader.text(files, summaryPath, importBounds.summaryBytes);
  const manifest = reader.text(files, manifestPath, importBounds.manifestBytes);
  const settings = reader.text(files, variablesPath, importBounds.summaryBytes);
  if (reader.needs.length > 0) return { needs: reader.needs };
  const known = manifest === undefined ? undefined : readManifest(manifest);
  const made = plan({
    ...planningOf(input),
    files,
    manifest: known,
    summary:
      summary === undefined || summaryPath === undefined
        ? undefined
        : { path: summaryPath, entries: readSummary(summary), isKnown: known?.summary === sha256(summary) },
  });
  const { variables, warnings } = settings === undefined ? { variables: {}, warnings: [] } : readVariables(settings);
  const unread: ImportWarning[] =
    manifest !== undefined && known === undefined ? [{ kind: 'not_supported', path: manifestPath }] : [];
  const outside = book === undefined ? [] : outsideFiles(all, chosen.root, made.items);
  const items = [...made.items, ...outside];
  const allWarnings = [...config.warnings, ...chosen.warnings, ...unread, ...warnings, ...made.warnings];
  return {
    items: inParts(items),
    total: items.length,
    pages: made.items.filter(({ kind }) => kind === 'page').length,
    variables,
    warnings: allWarnings.slice(0, importBounds.warnings),
    moreWarnings: Math.max(0, allWarnings.length - importBounds.warnings),
  };
}

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

/** Reads files of which the parts are there, and notes the others. */
function partReader(parts: PlanInput['parts']) {
  const needs: Range[] = [];
  const text = (files: Files, path: string, most: number): string | undefined => {
    const entry = files.get(path);
    if (entry === undefined) return undefined;
    if (entry.size > most) throw tooLarge(path, `It has at most ${most} bytes`);
    const range = rangeOf(entry);
    const part = parts[`${range.archive}:${range.start}`];
    if (part === undefined) {
      needs.push(range);
      return undefined;
    }
    return textOf(path, unpack(path, entry, part));
  };
  return { needs, text };
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
