import { AppError } from '@scriptorium/contracts';
import { compiledModule, workerTask } from '@scriptorium/platform';
import { readParts } from '../archive/read-parts.process.js';
import { rangeOf } from '../entry.js';
import { replaceItems } from '../import-items.operational.js';
import type { PageItem } from '../item.js';
import { inGroups, longestReadMs, type ImportWork } from './read-groups.process.js';
import type { FileScanned, scanFiles } from './scan-files.task.js';

const scanTask = workerTask<typeof scanFiles>({
  name: 'scan_import_files',
  module: compiledModule('./scan-files.task.js', import.meta.url),
  run: 'scanFiles',
  withinMs: longestReadMs,
  tooCostly: () => new AppError('too_large', [], { message: 'The files take too long to be looked at' }),
});

/** What looking at files needs. */
type Work = Omit<ImportWork, 'targets'>;

/**
 * Looks at the files of pages, and notes what they are known by. Safe to repeat. @throws AppError as `scanFiles` does
 */
export async function scanItems(work: Work, items: readonly PageItem[]): Promise<void> {
  const withFile = items.filter(({ entry, unreadable }) => entry !== undefined && unreadable === undefined);
  const found = await inGroups(withFile, (group) => scanGroup(work, group));
  const byPath = new Map(found.map((file) => [file.path, file]));
  const scanned = withFile.flatMap((item): PageItem[] => {
    const file = byPath.get(item.path ?? '');
    if (file === undefined) return [];
    const { path: _, ...known } = file;
    return [{ ...item, ...known }];
  });
  await replaceItems(work.scope, work.import._id, scanned);
}

async function scanGroup(
  { scope, objects, import: about, deadline }: Work,
  group: readonly PageItem[],
): Promise<FileScanned[]> {
  const withFile = group.flatMap(({ path, entry }) =>
    path === undefined || entry === undefined ? [] : [{ path, entry }],
  );
  const ranges = withFile.map(({ entry }) => rangeOf(entry));
  const parts = await readParts(objects.files, about.sources ?? [], ranges);
  const files = withFile.map((file, at) => ({ ...file, part: parts[at] ?? new Uint8Array() }));
  return scope.workers.run(scanTask, { files }, { deadline });
}
