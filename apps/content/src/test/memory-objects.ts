import { ContentObjects } from '../versions/object-store/index.js';

interface Stored {
  _id: string;
}

/** Objects of content that are kept in memory: the two commands that they need of a database. */
export function memoryObjects(): ContentObjects {
  const stored = new Map<string, Stored>();
  const collection = {
    insertMany: (documents: readonly Stored[]) => {
      for (const document of documents) stored.set(document._id, document);
      return Promise.resolve();
    },
    find: ({ _id: { $in: ids } }: { _id: { $in: readonly string[] } }) => ids.flatMap((id) => stored.get(id) ?? []),
  };
  return new ContentObjects({ database: { collection: () => collection }, now: () => 0 } as never, {} as never);
}
