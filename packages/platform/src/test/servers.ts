import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEventStoreServer } from '@scriptorium/embedded/eventstore';
import { startMongoServer } from '@scriptorium/embedded/mongodb';
import { startNatsServer } from '@scriptorium/embedded/nats';

export { eventually } from '@scriptorium/event-sourcing/testing';

/** The three servers on free ports and a temporary folder, as a service's environment names them. */
export interface Servers {
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** The three embedded servers, each in its own world of data. */
export async function startServers(): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-'));
  const [eventstore, mongo, nats] = [
    await startEventStoreServer({ dataDir: join(folder, 'eventstore') }),
    await startMongoServer({ dataDir: join(folder, 'mongodb') }),
    await startNatsServer({}),
  ];
  return {
    environment: {
      EVENTSTORE_URL: eventstore.url,
      MONGODB_URL: mongo.url,
      NATS_URL: nats.url,
      PUBLIC_URL: 'https://docs.example',
      LOG_LEVEL: 'silent',
      LOG_FORMAT: 'json',
      SECRET_KEYS: ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(','),
    },
    async stop() {
      await Promise.all([eventstore.stop(), mongo.stop(), nats.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
