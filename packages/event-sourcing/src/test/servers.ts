import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestServer, eventStoreForTests, mongoForTests } from '@scriptorium/embedded/test-servers';
import { type Broadcast, localBroadcast } from '../process/broadcast.js';
import { dropDatabases } from '../database/drop-databases.js';
import { type StoreOptions } from '../store/options.js';
import { type Store, createStore } from '../store/store.js';

export { eventually } from '../testing.js';

/** Both servers, on free ports and temporary folders, or those of the environment. */
export interface Servers {
  eventstoreUrl: string;
  mongoUrl: string;
  /** Whether databases stay behind that nobody else removes. */
  keepsDatabases: boolean;
  /** Only for servers that were started here. */
  restart(which: 'eventstore' | 'mongo', between: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'event-sourcing-'));
  const start = {
    eventstore: (port: number) => eventStoreForTests({ port, dataDir: join(folder, 'eventstore') }),
    mongo: (port: number) => mongoForTests({ port, dataDir: join(folder, 'mongo') }),
  };
  const running: Record<keyof typeof start, TestServer<{ readonly port: number }>> = {
    eventstore: await start.eventstore(0),
    mongo: await start.mongo(0),
  };
  return {
    eventstoreUrl: running.eventstore.url,
    mongoUrl: running.mongo.url,
    keepsDatabases: running.mongo.given,
    async restart(which, between) {
      const { port } = running[which].ours();
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
      const store = createStore({
        service: 'identity',
        namespace,
        eventstoreUrl: servers.eventstoreUrl,
        mongoUrl: servers.mongoUrl,
        broadcast,
        ...more,
      });
      stores.push(store);
      return store;
    },
    async close() {
      const last = stores[0];
      await Promise.all(stores.slice(1).map((store) => store.stop()));
      await last?.stop();
      if (servers.keepsDatabases) await dropDatabases(servers.mongoUrl, `${namespace}_`);
    },
  };
}
