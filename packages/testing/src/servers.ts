import { join } from 'node:path';
import { eventStoreForTests, mongoForTests, natsForTests } from '@scriptorium/embedded/test-servers';
import type { ServerUrls } from './host-protocol.js';

/** The three servers of an installation. */
export interface Servers {
  urls: ServerUrls;
  /** The environment names the server of the read models: others use it as well. */
  isShared: boolean;
  /** Removes deleted events and documents from disk, of servers that were started here. */
  scavenge(): Promise<unknown>;
  /** Leaves those running that the environment names. */
  stop(): Promise<unknown>;
}

/** Starts the servers that the environment does not name, in this folder. */
export async function startServers(folder: string): Promise<Servers> {
  const eventstore = await eventStoreForTests({ dataDir: join(folder, 'eventstore') });
  const mongo = await mongoForTests({ dataDir: join(folder, 'mongodb') });
  const nats = await natsForTests();
  return {
    urls: { EVENTSTORE_URL: eventstore.url, MONGODB_URL: mongo.url, NATS_URL: nats.url },
    isShared: mongo.given,
    scavenge: () =>
      Promise.all([
        eventstore.given ? null : eventstore.ours().scavenge(),
        mongo.given ? null : mongo.ours().compact(),
      ]),
    stop: () => Promise.all([eventstore.stop(), mongo.stop(), nats.stop()]),
  };
}
