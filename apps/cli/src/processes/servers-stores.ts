import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startEventStoreServer, type EventStoreServer } from '@scriptorium/embedded/eventstore';
import { startMongoServer, type MongoServer } from '@scriptorium/embedded/mongodb';

/** The stores of a data folder. The store of a server that is not embedded is absent. */
export interface Stores {
  eventstore?: Pick<EventStoreServer, 'backup' | 'scavenge'> | undefined;
  mongodb?: Pick<MongoServer, 'backup' | 'compact'> | undefined;
}

/** Opens the stores in the folder `path` until `work` has finished. No other process may use them. */
export async function withStoppedStores<R>(path: string, work: (stores: Stores) => Promise<R>): Promise<R> {
  const has = (name: string) => existsSync(join(path, name));
  const eventstore = has('eventstore') ? await startEventStoreServer({ dataDir: join(path, 'eventstore') }) : undefined;
  try {
    const mongodb = has('mongodb') ? await startMongoServer({ dataDir: join(path, 'mongodb') }) : undefined;
    try {
      return await work({ eventstore, mongodb });
    } finally {
      await mongodb?.stop();
    }
  } finally {
    await eventstore?.stop();
  }
}
