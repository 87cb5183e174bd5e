import { limitReached } from '@scriptorium/contracts';
import { assetsFolder } from '../exports/index.js';
import { bringFile, type Aside } from './bring-file.process.js';
import { itemsFrom, replaceItems } from './imports.operational.js';
import type { FileItem } from './item.js';
import type { Work } from './read-items.process.js';
import { uploadOfImport } from './sources.process.js';

/** Files that the pool gets at once. */
const keptTogether = 20;

/** Whether a file is taken over: something links to it, or it stands where files of a content stand. */
export function isWanted({ isUsed, record, path }: FileItem): boolean {
  return isUsed === true || record !== undefined || path.startsWith(`${assetsFolder}/`);
}

/**
 * Gives the pool the bytes of files, from one on, until `until`. Safe to repeat.
 * @returns where to go on; `undefined` when all are there
 * @throws AppError `content_change_invalid` naming the file, `limit_reached`
 */
export async function bringFiles(work: Work, from: number, until: number): Promise<number | undefined> {
  const { scope, import: about, objects, pool } = work;
  const { organization, _id: id, sources = [] } = about;
  const place = { files: objects.files, sources, upload: uploadOfImport(id), deadline: work.deadline };
  const waiting = (await itemsFrom(scope, id, 'file', { from })).filter(isWanted);
  const most = scope.limits.filesPerSpace;
  if (from === 0 && waiting.length > most) throw limitReached('filesPerSpace', most);
  while (waiting.length > 0) {
    const some = waiting.splice(0, keptTogether);
    const done: FileItem[] = [];
    const aside: Aside[] = [];
    for (const item of some) {
      if (done.length > 0 && scope.now() >= until) {
        waiting.unshift(...some.slice(done.length));
        break;
      }
      const made = await bringFile(place, item);
      aside.push(made.aside);
      done.push({ ...item, brought: made.brought });
    }
    await objects.files.keep(scope, { organization, pool }, aside);
    await replaceItems(scope, id, done);
    if (waiting.length > 0 && scope.now() >= until) return waiting[0]?.n;
  }
  return undefined;
}
