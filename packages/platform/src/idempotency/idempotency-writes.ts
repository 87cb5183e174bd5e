import type { AnyBulkWriteOperation, Collection, Filter, OptionalUnlessRequiredId, UpdateFilter } from 'mongodb';
import { microBatcher } from './micro-batcher.js';

/** A document with a worker until it contains an answer. */
interface Worked {
  _id: string;
  worker?: string;
}

/** Writes stored answers. Concurrent writes are sent in one command. */
export interface IdempotencyWrites<D extends Worked> {
  /** Writes a document. False when one with its id exists. */
  insert(doc: D): Promise<boolean>;
  /**
   * Changes a document if `worker` still works on it. Does not wait. If the write fails, the document stays unchanged.
   */
  finish(id: string, worker: string, change: UpdateFilter<D>): void;
  /** Waits for the writes that `finish` has begun. */
  idle(): Promise<void>;
}

interface Finish<D> {
  id: string;
  worker: string;
  change: UpdateFilter<D>;
}

const duplicateKey = 11_000;

export function createIdempotencyWrites<D extends Worked>(kept: Collection<D>): IdempotencyWrites<D> {
  const open = new Set<Promise<unknown>>();
  const finish = microBatcher(async (all: readonly Finish<D>[]) => {
    await kept.bulkWrite(
      all.map(({ id, worker, change }): AnyBulkWriteOperation<D> => {
        return { updateOne: { filter: { _id: id, worker } as Filter<D>, update: change } };
      }),
      { ordered: false },
    );
    return all;
  });
  return {
    insert: microBatcher((docs: readonly D[]) => insertAll(kept, docs)),
    finish(id, worker, change) {
      const writing = finish({ id, worker, change })
        .catch(() => undefined)
        .finally(() => open.delete(writing));
      open.add(writing);
    },
    async idle() {
      await Promise.all(open);
    },
  };
}

/** Databases report failed inserts of a batch in different ways, so after a failure each one is sent alone. */
async function insertAll<D extends Worked>(kept: Collection<D>, docs: readonly D[]): Promise<boolean[]> {
  if (docs.length > 1) {
    try {
      await kept.insertMany(docs as OptionalUnlessRequiredId<D>[], { ordered: false });
      return docs.map(() => true);
    } catch (error) {
      if ((error as { code?: unknown }).code !== duplicateKey) throw error;
    }
  }
  return Promise.all(docs.map((doc) => insertOne(kept, doc)));
}

async function insertOne<D extends Worked>(kept: Collection<D>, doc: D): Promise<boolean> {
  try {
    await kept.insertOne(doc as OptionalUnlessRequiredId<D>);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== duplicateKey) throw error;
    return (await kept.findOne({ _id: doc._id, worker: doc.worker } as Filter<D>)) !== null;
  }
}
