import type { Scope } from '@scriptorium/platform';
import {
  revisions,
  contentTree,
  type ContentObjects,
  type ContentTree,
  findPage,
  pageAt,
  pathOf,
} from '../../../versions/index.js';

/**
 * Revisions in which a path is looked for: the newest ones, and of those before them so many that are spread evenly. A
 * path that was in use for a hundredth of a history is found, however long ago that was.
 */
const looked = { newest: 100, before: 100 };

/** The present main content of a space, as somebody sees it. */
interface Present {
  space: string;
  /** The root of all of it. */
  root: string;
  tree: ContentTree;
}

/** The present path of the page that had a path in an earlier revision of the main content. */
export async function formerPath(
  { store }: Pick<Scope, 'store'>,
  objects: ContentObjects,
  { space, root, tree }: Present,
  path: string,
): Promise<string | undefined> {
  // Programs that try addresses at random ask for the same ones again and again.
  const unknown = `no former path ${tree.pool} ${root} ${path}`;
  if (objects.derived.has(unknown)) return undefined;
  const all = store.read(revisions);
  const seen = new Set<string>();
  let isKnown = false;
  const lookIn = async (earlier: readonly { tree: string }[]): Promise<string | undefined> => {
    for (const { tree: former } of earlier.filter((one) => !seen.has(one.tree))) {
      seen.add(former);
      const page = await pageAt(contentTree(objects, tree.pool, former), path);
      isKnown ||= page !== undefined;
      const now = page === undefined ? undefined : await findPage(tree, page.id);
      if (now !== undefined) return pathOf(tree, now);
    }
    return undefined;
  };
  const read = (filter: object) =>
    all
      .find({ branch: space, ...filter })
      .sort({ number: -1 })
      .project<{ tree: string; number: number }>({
        tree: 1,
        number: 1,
      });
  const newest = await read({}).limit(looked.newest).toArray();
  const before = spreadBefore(newest.at(-1)?.number ?? 1, looked.before);
  const found =
    (await lookIn(newest)) ??
    (before.length === 0 ? undefined : await lookIn(await read({ number: { $in: before } }).toArray()));
  if (!isKnown) objects.derived.set(unknown, {}, { size: 5 + Math.ceil(path.length / 50) });
  return found;
}

/** At most so many of the whole numbers from 1 on that are less than `end`, with the same distance between them. */
export function spreadBefore(end: number, most: number): number[] {
  const count = Math.min(most, end - 1);
  return Array.from({ length: count }, (_, index) => end - 1 - Math.floor((index * (end - 1)) / count));
}
