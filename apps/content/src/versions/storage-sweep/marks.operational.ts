import { isDuplicate } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

/*
 * What one check of a pool has found to be in use: names of objects, and of bytes of files, which begin with `file:`.
 * They are kept beside the objects, so that a check goes on after a crash, and needs no memory that grows with the
 * pool.
 */

type Within = Pick<Scope, 'database'>;

function marks({ database }: Within): Collection<{ _id: string }> {
  return database.collection<{ _id: string }>('op_marks');
}

/** The mark of the bytes of a file. */
export function fileMark(hash: string): string {
  return `file:${hash}`;
}

/** Marks names. Repeating it changes nothing. */
export async function mark(scope: Within, check: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const documents = names.map((name) => ({ _id: `${check}/${name}` }));
  await marks(scope)
    .insertMany(documents, { ordered: false })
    .catch((error: unknown) => {
      if (!isDuplicate(error)) throw error;
    });
}

/** Those of these names that are not marked. */
export async function unmarked(scope: Within, check: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const ids = names.map((name) => `${check}/${name}`);
  const found = await marks(scope)
    .find({ _id: { $in: ids } })
    .toArray();
  const marked = new Set(found.map(({ _id }) => _id));
  return names.filter((_name, index) => !marked.has(ids[index] ?? ''));
}

const atOnce = 5_000;

/** Removes some marks of a check. @returns whether there are more */
export async function dropMarks(scope: Within, check: string): Promise<boolean> {
  // `0` comes directly behind `/`.
  const found = await marks(scope)
    .find({ _id: { $gte: `${check}/`, $lt: `${check}0` } })
    .limit(atOnce)
    .toArray();
  if (found.length > 0) await marks(scope).deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
  return found.length === atOnce;
}
