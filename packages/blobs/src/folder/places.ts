import { join } from 'node:path';

const PARTS = 'parts';

/** Where blobs and drafts stand: `<folder>/<pool>/ab/cd/abcd…` and `<folder>/<pool>/parts/<id>`. */
export interface Places {
  readonly root: string;
  pool(pool: string): string;
  drafts(pool: string): string;
  /** The folder of a blob. */
  shelf(pool: string, hash: string): string;
  blob(pool: string, hash: string): string;
}

export function placesIn(folder: string): Places {
  const pool = (name: string) => join(folder, folderOfPool(name));
  const shelf = (name: string, hash: string) => join(pool(name), hash.slice(0, 2), hash.slice(2, 4));
  return {
    root: folder,
    pool,
    drafts: (name) => join(pool(name), PARTS),
    shelf,
    blob: (name, hash) => join(shelf(name, hash), hash),
  };
}

/** File systems may take `A` and `a` for one name; pools that differ in case alone must not share a folder. */
function folderOfPool(pool: string): string {
  return pool.replace(/[A-Z]/gu, (letter) => `=${letter.toLowerCase()}`);
}

/** The pool of a folder, if it is one. */
export function poolOfFolder(name: string): string | undefined {
  if (!/^(?:[a-z0-9_-]|=[a-z])+$/u.test(name)) return undefined;
  return name.replace(/=[a-z]/gu, (pair) => pair.slice(1).toUpperCase());
}
