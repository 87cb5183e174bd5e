import { isHash } from '../port/checks.js';
import { type ListOptions, type StoredBlob } from '../port/blobs.js';
import { namesIn, sizeOf } from './files.js';
import { type Places, poolOfFolder } from './places.js';

const DIGITS = /^[0-9a-f]{2}$/u;

export async function listFolder(places: Places, pool: string, options: ListOptions): Promise<StoredBlob[]> {
  const page: StoredBlob[] = [];
  for await (const hash of hashesOf(places, pool, options.after ?? '')) {
    const size = await sizeOf(places.blob(pool, hash));
    if (size !== undefined) page.push({ hash, size });
    if (page.length === options.limit) break;
  }
  return page;
}

/** Hashes behind `after` in order, two levels of folders at a time. */
async function* hashesOf(places: Places, pool: string, after: string): AsyncGenerator<string> {
  for (const first of await shelvesIn(places.pool(pool), after.slice(0, 2))) {
    const atFirst = after.startsWith(first);
    for (const second of await shelvesIn(`${places.pool(pool)}/${first}`, atFirst ? after.slice(2, 4) : ''))
      for (const hash of await namesIn(places.shelf(pool, first + second)))
        if (isHash(hash) && hash > after) yield hash;
  }
}

async function shelvesIn(folder: string, from: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => DIGITS.test(name) && name >= from);
}

export async function listPoolFolders(places: Places, options: ListOptions): Promise<string[]> {
  const after = options.after === undefined ? '' : `${options.after}/`;
  const page: string[] = [];
  for (const pool of await poolsIn(places)) {
    if (`${pool}/` <= after) continue;
    for await (const _ of hashesOf(places, pool, '')) {
      page.push(pool);
      break;
    }
    if (page.length === options.limit) break;
  }
  return page;
}

/** All pools that have a folder, in the order of `<pool>/`. */
export async function poolsIn(places: Places): Promise<string[]> {
  const pools = (await namesIn(places.root)).map(poolOfFolder).filter((pool) => pool !== undefined);
  const order = (pool: string) => `${pool}/`;
  return pools.sort((one, other) => (order(one) < order(other) ? -1 : 1));
}
