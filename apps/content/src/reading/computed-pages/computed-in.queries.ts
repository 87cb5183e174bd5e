import { diff, EMPTY_ROOT, TreeError } from '@scriptorium/tree';
import { type ContentObjects, idIn, keys, type PageRecord } from '../../versions/index.js';

/** The content of one revision. */
export interface RootPlace {
  space: string;
  pool: string;
  root: string;
}

interface Found {
  root: string;
  ids: ReadonlySet<string>;
}

/** The computed pages of a revision. Of the next revision of the space, only what differs is read. */
export async function computedIn(
  objects: Pick<ContentObjects, 'derived' | 'partsOf'>,
  { space, pool, root }: RootPlace,
): Promise<ReadonlySet<string>> {
  const name = `computed ${pool} ${root}`;
  const known = objects.derived.get(name) as Found | undefined;
  if (known !== undefined) return known.ids;
  const newest = `computed ${pool} of ${space}`;
  const last = objects.derived.get(newest) as Found | undefined;
  const found = { root, ids: await findFrom(objects, pool, { last, root }) };
  const size = { size: 5 + found.ids.size };
  objects.derived.set(name, found, size);
  objects.derived.set(newest, found, size);
  return found.ids;
}

async function findFrom(
  objects: Pick<ContentObjects, 'partsOf'>,
  pool: string,
  { last, root }: { last: Found | undefined; root: string },
): Promise<ReadonlySet<string>> {
  const ids = new Set(last?.ids);
  try {
    for await (const { key, after } of diff(objects.partsOf(pool), last?.root ?? EMPTY_ROOT, root, {
      prefix: keys.pages,
    })) {
      if ((after as PageRecord | undefined)?.type === 'computed') ids.add(idIn(key));
      else ids.delete(idIn(key));
    }
    return ids;
  } catch (error) {
    // The earlier revision may have been removed.
    if (last === undefined || !(error instanceof TreeError)) throw error;
    return findFrom(objects, pool, { last: undefined, root });
  }
}
