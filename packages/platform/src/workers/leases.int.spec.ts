import { createStore, localBroadcast, type Store } from '@scriptorium/event-sourcing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startServers, type Servers } from '../test/servers.js';
import type { spinUntilTold } from '../test/tasks.js';
import { things } from '../test/thing.js';
import { createWorkerPool } from './worker-pool.js';
import { compiledModule, workerTask } from './worker-task.js';

const spinning = workerTask<typeof spinUntilTold>({
  name: 'spinning',
  module: compiledModule('../test/tasks.js', import.meta.url),
  run: 'spinUntilTold',
  withinMs: 60_000,
});

interface Lease {
  _id: string;
  owner: string | null;
  epoch: number;
  beat: number;
}

describe('a service with tasks that need much CPU time', () => {
  let servers: Servers;
  const stores: Store[] = [];
  const workers = createWorkerPool({ threads: 2 });
  beforeAll(async () => void (servers = await startServers()), 30_000);
  afterAll(async () => {
    await workers.stop();
    await Promise.all(stores.map((store) => store.stop()));
    await servers.stop();
  });

  const open = async (): Promise<Store> => {
    const store = createStore({
      service: 'spec',
      namespace: servers.environment['NAMESPACE'] ?? '',
      eventstoreUrl: servers.environment['EVENTSTORE_URL'] ?? '',
      mongoUrl: servers.environment['MONGODB_URL'] ?? '',
      broadcast: localBroadcast(),
      projections: [things],
    });
    stores.push(store);
    await store.start();
    return store;
  };

  it('keeps its leases while the tasks run in the pool for longer than a lease lasts without a heartbeat', async () => {
    const [holder, candidate] = [await open(), await open()];
    const lease = async (): Promise<Lease> => {
      const found = await holder.database.collection<Lease>('op_consumers').findOne({ _id: things.collection });
      if (found === null) throw new Error('nobody has declared the projection');
      return found;
    };
    const before = await lease();
    const told = new SharedArrayBuffer(8);
    const task = workers.run(spinning, told, { deadline: Date.now() + 60_000 });
    // A lease is lost after 3 s without a beat; these take 4 s.
    await eventually(async () => (await lease()).beat >= before.beat + 8, 30_000);
    Atomics.store(new Int32Array(told), 0, 1);
    await expect(task).resolves.toBe('told');
    expect(await lease()).toMatchObject({ owner: before.owner, epoch: before.epoch });
    const holds = async (store: Store) => (await store.health()).projections.map(({ held }) => held);
    expect([await holds(holder), await holds(candidate)]).toEqual([[true], [false]]);
  }, 60_000);
});
