import { fileMark, unmarked } from './marks.operational.js';
import type { PoolWalk } from './walk-pool.process.js';

/** Where a comparison is: it goes through the objects, then through the files of a pool. */
export interface Compared {
  of: 'objects' | 'files';
  after: string;
}

export const firstCompared: Compared = { of: 'objects', after: '' };

/** What nothing refers to. */
export interface Unused {
  of: Compared['of'];
  names: string[];
}

const atOnce = 500;

/**
 * Finds objects and files of a pool that a walk has not marked, and gives them to `take`.
 * @returns where to go on, or `undefined` when all have been looked at
 */
export async function comparePool(
  walk: PoolWalk,
  from: Compared,
  take: (unused: Unused) => Promise<void>,
): Promise<Compared | undefined> {
  const { scope, check, objects, pool } = walk;
  let place = from;
  while (!walk.isOver()) {
    const { of, after } = place;
    const source = of === 'objects' ? objects : objects.files;
    const found = await source.list(pool, { after, limit: atOnce });
    const markOf = of === 'objects' ? (name: string) => name : fileMark;
    const open = new Set(await unmarked(scope, check, found.map(markOf)));
    const names = found.filter((name) => open.has(markOf(name)));
    if (names.length > 0) await take({ of, names });
    const last = found.at(-1);
    if (last !== undefined && found.length === atOnce) place = { of, after: last };
    else if (of === 'objects') place = { of: 'files', after: '' };
    else return undefined;
  }
  return place;
}
