import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startEventStoreServer, type EventStoreServer } from '@scriptorium/embedded/eventstore';
import { startMongoServer, type MongoServer } from '@scriptorium/embedded/mongodb';

/** The stores of one data folder; one that stands elsewhere is absent. */
export interface Stores {
  eventstore?: Pick<EventStoreServer, 'backup' | 'scavenge'> | undefined;
  mongodb?: Pick<MongoServer, 'backup' | 'compact'> | undefined;
}

/** Opens the stores of the folder `path`, which no other process may use, for as long as `work` takes. */
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
