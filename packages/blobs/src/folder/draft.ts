import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Draft } from '../port/receive.js';
import { makeFolder, sizeOf, syncFolders } from './files.js';
import { type Places } from './places.js';

/** A file among the drafts of a pool, which is moved to its name when it is whole and on disk. */
export async function draftIn(places: Places, pool: string): Promise<Draft> {
  const folder = places.drafts(pool);
  await makeFolder(folder);
  const file = join(folder, randomUUID());
  const handle = await open(file, 'wx', 0o600);
  return {
    append: (bytes) => handle.appendFile(bytes),
    async publish(hash, size) {
      await handle.sync();
      await handle.close();
      const shelf = places.shelf(pool, hash);
      await makeFolder(shelf);
      const name = places.blob(pool, hash);
      // Two that come here at once move the same bytes to the same name.
      if ((await sizeOf(name)) === size) await rm(file);
      else await rename(file, name);
      await syncFolders(shelf, places.root);
    },
    async discard() {
      await handle.close().catch(() => undefined);
      await rm(file, { force: true });
    },
  };
}
