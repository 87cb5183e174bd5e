import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask, type Scope } from '@scriptorium/platform';
import type { ContentObjects } from '../../../versions/index.js';
import { rangeOf, type Range } from '../entry.js';
import { includedIn } from '../included.js';
import type { ImportDocument } from '../imports.operational.js';
import type { BroughtObject, IncludeItem, PageItem } from '../item.js';
import type { readFiles, FileRead, FileToRead, FileUnread } from './read-files.task.js';
import { readParts } from '../archive/read-parts.process.js';
import type { KnownTargets } from './targets.process.js';

/** How long a worker may read files that it is given together, ms. */
export const longestReadMs = 8_000;

const readTask = workerTask<typeof readFiles>({
  name: 'read_import_files',
  module: compiledModule('./read-files.task.js', import.meta.url),
  run: 'readFiles',
  withinMs: longestReadMs,
  tooCostly: () => new AppError('content_change_invalid', [], { message: 'It takes too long to be read' }),
});

/** What the work on an import uses. */
export interface ImportWork {
  scope: Scope;
  objects: ContentObjects;
  /** Where documents are stored. */
  pool: string;
  import: ImportDocument;
  targets: KnownTargets;
  /** Milliseconds since 1970. */
  deadline: number;
}

export type ToRead = PageItem | IncludeItem;

/** Files that a worker reads at once: by their number, and their bytes. Slow machines read them in time, too. */
const mostTogether = { files: 16, bytes: 128 * 1024 };
/** Tasks at a time, so that two processors have work. */
const tasksAtOnce = 2;

/** Bytes of files that are read and stored before the next ones. What is not stored is lost when a step fails. */
const bytesAtOnce = 256 * 1024;

/** As many of the first of these as are read at once, at least one. */
export function together<T extends ToRead>(items: readonly T[]): T[] {
  let bytes = 0;
  const some = items.findIndex((item, index) => (bytes += sizeOf(item)) > bytesAtOnce && index > 0);
  return items.slice(0, some < 0 ? undefined : some);
}

/** Reads files in groups, in workers. @throws AppError as `readFiles` does, and one for which `isCostly` holds */
export function readAll(work: ImportWork, items: readonly ToRead[]): Promise<(FileRead | FileUnread)[]> {
  return inGroups(items, (group) => readGroup(work, group));
}

/** What becomes of files that are worked on in groups. @throws what `read` throws first */
export async function inGroups<T extends ToRead, R>(
  items: readonly T[],
  read: (group: readonly T[]) => Promise<R[]>,
): Promise<R[]> {
  const waiting = groupsOf(items);
  const done: R[] = [];
  const failed: unknown[] = [];
  const next = async (): Promise<void> => {
    for (let group = waiting.shift(); group !== undefined && failed.length === 0; group = waiting.shift())
      await read(group).then(
        (files) => void done.push(...files),
        (error: unknown) => void failed.push(error),
      );
  };
  await Promise.all(Array.from({ length: tasksAtOnce }, next));
  if (failed.length > 0) throw failed[0];
  return done;
}

/** What a file that a page shows counts as long as nobody knows it. */
const bytesOfIncluded = 2_048;

/** Bytes that are read for it. */
function sizeOf(item: ToRead): number {
  const more = moreOf(item).map(({ entry }) => entry);
  const included = item.kind === 'page' ? (item.scanned?.includes?.length ?? 0) * bytesOfIncluded : 0;
  return [item.entry, item.known?.document.entry, ...more].reduce((bytes, one) => bytes + (one?.size ?? 0), included);
}

function groupsOf<T extends ToRead>(items: readonly T[]): T[][] {
  const groups: T[][] = [];
  let bytes = Infinity;
  for (const item of items) {
    const size = sizeOf(item);
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

/** Whether one of these files takes too long: which one is known when each is read by itself. */
export function isCostly(error: unknown): boolean {
  return error instanceof AppError && error.reason === 'content_change_invalid' && error.details.length === 0;
}

async function readGroup(
  { scope, targets, deadline, ...work }: ImportWork,
  group: readonly ToRead[],
): Promise<(FileRead | FileUnread)[]> {
  const files = await filesToRead({ ...work, targets }, group);
  return scope.workers.run(readTask, { files, targets: targets.text }, { deadline });
}

/** The rarer fields of a page that the manifest brings. */
function moreOf(item: ToRead): BroughtObject[] {
  return item.kind === 'page' && item.attributes !== undefined ? [item.attributes] : [];
}

async function filesToRead(
  { objects, pool, import: about, targets }: Pick<ImportWork, 'objects' | 'pool' | 'import' | 'targets'>,
  group: readonly ToRead[],
): Promise<FileToRead[]> {
  const ranges: Range[] = group.flatMap((item) => [
    ...(item.entry === undefined ? [] : [rangeOf(item.entry)]),
    ...(item.known === undefined ? [] : [rangeOf(item.known.document.entry)]),
    ...moreOf(item).map(({ entry }) => rangeOf(entry)),
  ]);
  const parts = await readParts(objects.files, about.sources ?? [], ranges);
  const included = await readIncluded({ objects, import: about, targets }, group);
  const present = group.flatMap((item) => item.present?.document ?? []);
  const previous = present.length === 0 ? new Map<string, string>() : await objects.texts(pool, present);
  return group.flatMap((item, at) => {
    const { path, entry, known, present: there } = item;
    if (path === undefined || entry === undefined) return [];
    const part = parts.shift() ?? new Uint8Array();
    const document = known && { ...known.document, part: parts.shift() ?? new Uint8Array() };
    const [attributes] = moreOf(item).map((one) => ({ ...one, part: parts.shift() ?? new Uint8Array() }));
    return {
      path,
      entry,
      part,
      known: known && document && { sha256: known.sha256, document },
      attributes,
      included: included[at] ?? [],
      title: item.kind === 'page' && item.isNamed === true ? item.title : undefined,
      previous: there?.document === undefined ? undefined : previous.get(there.document),
    };
  });
}

/** The files that each of these shows. */
async function readIncluded(
  { objects, import: about, targets }: Pick<ImportWork, 'objects' | 'import' | 'targets'>,
  group: readonly ToRead[],
): Promise<FileToRead['included'][]> {
  const shown = group.map((item) => includedIn(item, targets.included));
  const ranges = shown.flat().map(({ entry }) => rangeOf(entry));
  const parts = await readParts(objects.files, about.sources ?? [], ranges);
  return shown.map((entries) => entries.map((one) => ({ ...one, part: parts.shift() ?? new Uint8Array() })));
}
