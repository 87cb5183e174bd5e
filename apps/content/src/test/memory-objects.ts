import { Readable } from 'node:stream';
import type { Db } from 'mongodb';
import type { FileStore } from '../versions/files/index.js';
import type { ComputedResults } from '../versions/object-store/computed-results.process.js';
import { ContentObjects } from '../versions/object-store/index.js';

interface Stored {
  _id: string;
}

/** Objects of content that are kept in memory: the two commands that they need of a database. */
export function memoryObjects(): ContentObjects {
  const stored = new Map<string, Stored>();
  const collection = {
    insertMany: (documents: readonly Stored[]): Promise<unknown> => {
      for (const document of documents) stored.set(document._id, document);
      return Promise.resolve();
    },
    find: ({ _id: { $in: ids } }: { _id: { $in: readonly string[] } }): AsyncIterable<Stored> =>
      Readable.from(ids.flatMap((id) => stored.get(id) ?? [])),
  };
  const database = { collection: (_name: string) => collection } as Db;
  return new ContentObjects({ database, now: () => 0 }, {} as FileStore, {} as ComputedResults);
}
