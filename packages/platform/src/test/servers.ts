import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventStoreForTests, mongoForTests, natsForTests } from '@scriptorium/embedded/test-servers';
import { dropDatabases } from '@scriptorium/event-sourcing/testing';

export { eventually } from '@scriptorium/event-sourcing/testing';

/** The three servers, and a namespace that nobody else has on them, as a service's environment names them. */
export interface Servers {
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** The servers of the environment, or embedded ones on free ports and a temporary folder. */
export async function startServers(): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-'));
  const [eventstore, mongo, nats] = [
    await eventStoreForTests({ dataDir: join(folder, 'eventstore') }),
    await mongoForTests({ dataDir: join(folder, 'mongodb') }),
    await natsForTests(),
  ];
  const namespace = `t${randomUUID().slice(0, 8)}`;
  return {
    environment: {
      NAMESPACE: namespace,
      EVENTSTORE_URL: eventstore.url,
      MONGODB_URL: mongo.url,
      NATS_URL: nats.url,
      PUBLIC_URL: 'https://docs.example',
      LOG_LEVEL: 'silent',
      LOG_FORMAT: 'json',
      SECRET_KEYS: ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(','),
    },
    async stop() {
      if (mongo.given) await dropDatabases(mongo.url, namespace);
      await Promise.all([eventstore.stop(), mongo.stop(), nats.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
