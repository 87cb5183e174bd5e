import type { Collection, UpdateFilter } from 'mongodb';
import { microBatcher } from './micro-batcher.js';

/** A document that somebody works on until it holds an answer. */
interface Worked {
  _id: string;
  worker?: string;
}

/** Writes of kept answers, those of requests at the same time with one command. */
export interface IdempotencyWrites<D extends Worked> {
  /** Writes a document; whether there was none with its id. */
  insert(doc: D): Promise<boolean>;
  /** Changes a document while `worker` works on it. Does not wait; what cannot be written is left as it was. */
  finish(id: string, worker: string, change: UpdateFilter<D>): void;
  /** Waits for what `finish` has begun. */
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
      all.map(({ id, worker, change }) => ({ updateOne: { filter: { _id: id, worker }, update: change } })) as never,
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

/** Which of many were refused is said in as many ways as there are databases: then each is asked about alone. */
async function insertAll<D extends Worked>(kept: Collection<D>, docs: readonly D[]): Promise<boolean[]> {
  if (docs.length > 1) {
    try {
      await kept.insertMany(docs as never, { ordered: false });
      return docs.map(() => true);
    } catch (error) {
      if ((error as { code?: unknown }).code !== duplicateKey) throw error;
    }
  }
  return Promise.all(docs.map((doc) => insertOne(kept, doc)));
}

async function insertOne<D extends Worked>(kept: Collection<D>, doc: D): Promise<boolean> {
  try {
    await kept.insertOne(doc as never);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== duplicateKey) throw error;
    return (await kept.findOne({ _id: doc._id, worker: doc.worker } as never)) !== null;
  }
}
