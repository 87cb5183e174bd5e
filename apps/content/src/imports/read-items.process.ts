import {
  AppError,
  importBounds,
  PageCover,
  PageLayout,
  PageMetaLinks,
  type ImportWarning,
} from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import { parseMarkdown } from '@scriptorium/rich-text';
import { canonical, nameOfText } from '@scriptorium/tree';
import { setImmediate as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { ContentObjects } from '../objects/index.js';
import { rangeOf, type Range } from './entry.js';
import { fieldsIn, titleIn } from './fields.js';
import { addWarnings, markFilesUsed, replaceItems, type ImportDocument } from './imports.operational.js';
import type { IncludeItem, PageItem, ReadItem } from './item.js';
import { linksOf } from './links.js';
import { type readFiles, type FileRead, type FileToRead } from './read-files.task.js';
import { readParts } from './read-parts.process.js';
import { unfit } from './refusal.js';
import { isRenaming, renameIds } from './rename-ids.js';
import type { KnownTargets } from './targets.process.js';
import { textOf, unpack } from './unpack.task.js';

const readTask = workerTask<typeof readFiles>({
  name: 'read_import_files',
  module: compiledModule('./read-files.task.js', import.meta.url),
  run: 'readFiles',
  withinMs: 8_000,
  tooCostly: () => new AppError('content_change_invalid', [], { message: 'It takes too long to be read' }),
});

/** What the work on an import uses. */
export interface Work {
  scope: Scope;
  objects: ContentObjects;
  /** Where documents are stored. */
  pool: string;
  import: ImportDocument;
  targets: KnownTargets;
  /** Milliseconds since 1970. */
  deadline: number;
}

type ToRead = PageItem | IncludeItem;

/** Reads the files of pages or reusable contents, and stores what they say. Safe to repeat. @throws AppError as `readFiles` does */
export async function readItems(work: Work, items: readonly ToRead[]): Promise<void> {
  const { scope, import: about } = work;
  const withFile = items.filter(({ entry }) => entry !== undefined);
  const files = new Map((await readAll(work, withFile)).map((file) => [file.path, file]));
  const warnings: ImportWarning[] = [];
  const used = new Set<number>();
  const read: ToRead[] = [];
  const attributes = await attributesOf(work, items);
  for (const item of items) {
    const file = item.path === undefined ? undefined : files.get(item.path);
    if (file === undefined && (item.kind !== 'page' || item.type !== 'document')) continue;
    const made = file === undefined ? emptyPage(item) : readItem(work, item, { file, warnings, used });
    const more = attributes.get(item.id);
    read.push({ ...item, read: more === undefined ? made : { ...made, attributes: more.name } });
  }
  await storeTexts(work, [
    ...texts(files.values()),
    ...attributes.values(),
    ...(read.length > files.size ? [empty] : []),
  ]);
  await markFilesUsed(scope, about._id, [...used]);
  await addWarnings(scope, about._id, { warnings, most: importBounds.warnings });
  await replaceItems(scope, about._id, read);
}

const empty = (() => {
  const text = canonical(parseMarkdown('', { context: 'page' }).document);
  return { name: nameOfText(text), text };
})();

function emptyPage({ title }: ToRead): ReadItem {
  return { title, document: empty.name };
}

function readItem(
  { targets }: Work,
  item: ToRead,
  { file, warnings, used }: { file: FileRead; warnings: ImportWarning[]; used: Set<number> },
): ReadItem {
  const links = linksOf(targets.targets, file.path);
  const { fields, warnings: more } = fieldsIn(file.path, file.frontMatter, links);
  warnings.push(...file.warnings, ...more);
  for (const id of [...file.files, ...links.files]) {
    const n = targets.files.get(id);
    if (n !== undefined) used.add(n);
  }
  const { name: document } = file.document;
  if (file.isKept) return { title: item.title, document, isKept: true };
  const title = titleIn(file.frontMatter) ?? titleOf(file.title) ?? item.title;
  return { title, document, ...(Object.keys(fields).length === 0 ? {} : { fields }) };
}

/** A heading that can be a title. */
function titleOf(heading: string | undefined): string | undefined {
  const title = heading
    ?.replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 255);
  return title === '' ? undefined : title?.toWellFormed();
}

function* texts(files: Iterable<FileRead>): Generator<FileRead['document']> {
  for (const { document } of files) yield document;
}

/** Bytes of texts that are stored at once: to pack more would hold up everything else. */
const storedTogether = 256 * 1024;

async function storeTexts({ objects, pool }: Work, all: readonly FileRead['document'][]): Promise<void> {
  let [some, length]: [FileRead['document'][], number] = [[], 0];
  for (const one of all) {
    if (length > 0 && length + one.text.length > storedTogether) {
      await objects.store(pool, some);
      await pause();
      [some, length] = [[], 0];
    }
    some.push(one);
    length += one.text.length;
  }
  if (some.length > 0) await objects.store(pool, some);
}

/** The rarer fields of pages as the manifest has them, by the id of the page. */
async function attributesOf(
  { objects, import: about, targets }: Work,
  items: readonly ToRead[],
): Promise<Map<string, FileRead['document']>> {
  const withMore = items.flatMap((item) =>
    item.kind === 'page' && item.attributes !== undefined ? [{ id: item.id, ...item.attributes }] : [],
  );
  const ranges = withMore.map(({ entry }) => rangeOf(entry));
  const parts = await readParts(objects.files, about.sources ?? [], ranges);
  const found = withMore.map(({ id, name, entry }, index) => {
    const text = textOf(name, unpack(name, entry, parts[index] ?? new Uint8Array()));
    if (nameOfText(text) !== name) throw unfit(name, 'It is not what its name says');
    return [id, attributesIn(name, text, targets.targets.ids)] as const;
  });
  return new Map(found);
}

function attributesIn(name: string, text: string, ids: Readonly<Record<string, string>>): FileRead['document'] {
  const attributes = Attributes.safeParse(parsedJson(text));
  if (!attributes.success) throw unfit(name, 'It has no fields of a page');
  if (!isRenaming(ids)) return { name, text };
  const renamed = canonical(renameIds(attributes.data, ids));
  return { name: nameOfText(renamed), text: renamed };
}

/** The rarer fields of a page, as they are stored. */
const Attributes = z.strictObject({
  layout: PageLayout.partial().optional(),
  cover: PageCover.optional(),
  variables: z.record(z.string(), z.string()).optional(),
  metaLinks: PageMetaLinks.optional(),
});

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Files that a worker reads at once: by their number, and their bytes. */
const mostTogether = { files: 64, bytes: 512 * 1024 };
/** Tasks at a time, so that two processors have work. */
const tasksAtOnce = 2;

async function readAll(work: Work, items: readonly ToRead[]): Promise<FileRead[]> {
  const waiting = groupsOf(items);
  const read: FileRead[] = [];
  const failed: unknown[] = [];
  const next = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined && failed.length === 0; group = waiting.shift())
      await readGroup(work, group).then(
        (files) => void read.push(...files),
        (error: unknown) => void failed.push(error),
      );
  };
  await Promise.all(Array.from({ length: tasksAtOnce }, next));
  if (failed.length > 0) throw failed[0];
  return read;
}

function groupsOf(items: readonly ToRead[]): ToRead[][] {
  const groups: ToRead[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const size = (item.entry?.size ?? 0) + (item.known?.document.entry.size ?? 0);
    const group = groups.at(-1);
    if (group === undefined || group.length >= mostTogether.files || bytes + size > mostTogether.bytes) {
      groups.push([item]);
      bytes = size;
    } else {
      group.push(item);
      bytes += size;
    }
  }
  return groups;
}

/** Whether one of several files takes too long: which one is known when each is read by itself. */
export function isCostly(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'content_change_invalid' && error.details.length === 0;
}

async function readGroup(work: Work, group: readonly ToRead[]): Promise<FileRead[]> {
  const { scope, targets, deadline } = work;
  const files = await filesToRead(work, group);
  try {
    return await scope.workers.run(readTask, { files, targets: targets.text }, { deadline });
  } catch (error) {
    const [first, ...others] = group;
    if (isCostly(error) && others.length === 0) throw unfit(first?.path ?? '', 'It takes too long to be read');
    throw error;
  }
}

async function filesToRead({ objects, pool, import: about }: Work, group: readonly ToRead[]): Promise<FileToRead[]> {
  const ranges: Range[] = group.flatMap(({ entry, known }) => [
    ...(entry === undefined ? [] : [rangeOf(entry)]),
    ...(known === undefined ? [] : [rangeOf(known.document.entry)]),
  ]);
  const parts = await readParts(objects.files, about.sources ?? [], ranges);
  const present = group.flatMap((item) => item.present?.document ?? []);
  const previous = present.length === 0 ? new Map<string, string>() : await objects.texts(pool, present);
  return group.flatMap(({ path, entry, known, present: there }) => {
    if (path === undefined || entry === undefined) return [];
    const part = parts.shift() ?? new Uint8Array();
    const document = known && { ...known.document, part: parts.shift() ?? new Uint8Array() };
    return {
      path,
      entry,
      part,
      known: known && document && { sha256: known.sha256, document },
      previous: there?.document === undefined ? undefined : previous.get(there.document),
    };
  });
}
