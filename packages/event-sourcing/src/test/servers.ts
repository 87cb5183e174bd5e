import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventStoreServer } from '@scriptorium/embedded/eventstore';
import { startMongoServer } from '@scriptorium/embedded/mongodb';
import { type Broadcast, localBroadcast } from '../broadcast.js';
import { type StoreOptions } from '../options.js';
import { type Store, createStore } from '../store.js';

export { eventually } from '../testing.js';

export interface Server {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** Both servers, on free ports and temporary folders, or those of the environment. */
export interface Servers {
  eventstoreUrl: string;
  mongoUrl: string;
  /** Only for servers that were started here. */
  restart(which: 'eventstore' | 'mongo', between: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const { EVENTSTORE_URL, MONGODB_URL } = process.env;
  if (EVENTSTORE_URL !== undefined && MONGODB_URL !== undefined) {
    return { eventstoreUrl: EVENTSTORE_URL, mongoUrl: MONGODB_URL, restart: () => Promise.reject(new Error('not ours')), stop: () => Promise.resolve() };
  }
  const folder = await mkdtemp(join(tmpdir(), 'event-sourcing-'));
  const start = {
    eventstore: (port: number): Promise<Server> => startEventStoreServer({ port, dataDir: join(folder, 'eventstore') }),
    mongo: (port: number): Promise<Server> => startMongoServer({ port, dataDir: join(folder, 'mongo') }),
  };
  const running = { eventstore: await start.eventstore(0), mongo: await start.mongo(0) };
  return {
    eventstoreUrl: running.eventstore.url,
    mongoUrl: running.mongo.url,
    async restart(which, between) {
      const { port } = running[which];
      await running[which].stop();
      await between();
      running[which] = await start[which](port);
    },
    async stop() {
      await Promise.all([running.eventstore.stop(), running.mongo.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A world of its own: namespace and broadcast shared by the replicas opened in it. */
export interface World {
  readonly namespace: string;
  readonly broadcast: Broadcast;
  open(more: Partial<StoreOptions>): Store;
  close(): Promise<void>;
}

export function createWorld(servers: Servers): World {
  const namespace = `t${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const broadcast = localBroadcast();
  const stores: Store[] = [];
  return {
    namespace,
    broadcast,
    open(more) {
      const store = createStore({ service: 'identity', namespace, eventstoreUrl: servers.eventstoreUrl, mongoUrl: servers.mongoUrl, broadcast, ...more });
      stores.push(store);
      return store;
    },
    async close() {
      const last = stores[0];
      await Promise.all(stores.slice(1).map((store) => store.stop()));
      await last?.stop();
    },
  };
}
