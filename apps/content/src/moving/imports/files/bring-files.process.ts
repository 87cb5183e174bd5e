import { limitReached } from '@scriptorium/contracts';
import { bringFile, type Aside } from './bring-file.process.js';
import { countWantedFiles, replaceItems, wantedFilesFrom } from '../import-items.operational.js';
import type { FileItem } from '../item.js';
import type { ImportWork } from '../documents/read-groups.process.js';
import { uploadOfImport } from '../archive/sources.process.js';

/** Files that the pool gets at once. */
const keptTogether = 20;

/**
 * Gives the pool the bytes of files, from one on, until `until`. Safe to repeat.
 * @returns where to go on; `undefined` when all are there
 * @throws AppError `content_change_invalid` naming the file, `limit_reached`
 */
export async function bringFiles(work: ImportWork, from: number, until: number): Promise<number | undefined> {
  const { scope, import: about, objects, pool } = work;
  const { organization, _id: id, sources = [] } = about;
  const place = { files: objects.files, sources, upload: uploadOfImport(id), deadline: work.deadline };
  const most = scope.limits.filesPerSpace;
  if (from === 0 && (await countWantedFiles(scope, id)) > most) throw limitReached('filesPerSpace', most);
  let next = from;
  do {
    const some = await wantedFilesFrom(scope, id, { from: next, limit: keptTogether });
    if (some.length === 0) return undefined;
    const done: FileItem[] = [];
    const aside: Aside[] = [];
    for (const item of some) {
      if (done.length > 0 && scope.now() >= until) break;
      const made = await bringFile(place, item);
      aside.push(made.aside);
      done.push({ ...item, brought: made.brought });
      next = item.n + 1;
    }
    await objects.files.keep(scope, { organization, pool }, aside);
    await replaceItems(scope, id, done);
  } while (scope.now() < until);
  return next;
}
