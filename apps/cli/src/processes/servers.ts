import { join } from 'node:path';
import { parseConfig } from '@scriptorium/platform/config';
import type { App } from '@scriptorium/platform';
import { runProcess } from '@scriptorium/platform/process';
import { filesOf } from '../installation/data-folder.js';
import { backupStores } from './servers-backup.js';
import { serveServersControl } from './servers-control.js';
import { scavengeStores } from './servers-scavenge.js';
import { serversProcessSettings } from './servers-settings.js';
import type { Stores } from './servers-stores.js';

interface Server {
  url: string;
  stop(): Promise<void>;
}

/** Only loopback: the embedded servers ask nobody for a password. */
const host = '127.0.0.1';
const hourMs = 3_600_000;

await runProcess('servers', () => parseConfig(serversProcessSettings, process.env), async (config, { logger }) => {
  const stores: Stores = {};
  const scavengeEveryMs = config.SCAVENGE_HOURS * hourMs;
  const folder = (name: string) => join(config.EMBEDDED_DATA_DIR, name);
  const log = (name: string) => (line: string) => logger.info({ server: name }, line);
  const wanted: [name: string, port: number | undefined, start: (port: number) => Promise<Server>][] = [
    ['nats', config.EMBEDDED_NATS_PORT, async (port) => {
      const { startNatsServer } = await import('@scriptorium/embedded/nats');
      return startNatsServer({ host, port, logger: log('nats') });
    }],
    ['mongodb', config.EMBEDDED_MONGODB_PORT, async (port) => {
      const { startMongoServer } = await import('@scriptorium/embedded/mongodb');
      return (stores.mongodb = await startMongoServer({ host, port, dataDir: folder('mongodb'), logger: log('mongodb'), compactEveryMs: scavengeEveryMs }));
    }],
    ['eventstore', config.EMBEDDED_EVENTSTORE_PORT, async (port) => {
      const { startEventStoreServer } = await import('@scriptorium/embedded/eventstore');
      return (stores.eventstore = await startEventStoreServer({ host, port, dataDir: folder('eventstore'), logger: log('eventstore'), scavengeEveryMs }));
    }],
  ];
  const started = wanted.map(async ([name, at, start]) => (at === undefined ? undefined : running(name, await start(at))));
  const apps = (await Promise.all(started)).filter((app) => app !== undefined);
  const control = await serveServersControl(filesOf(config.EMBEDDED_DATA_DIR).servers, {
    backup: (target) => backupStores(stores, target),
    scavenge: () => scavengeStores(stores),
  });
  return [...apps, { name: 'control', checks: () => Promise.resolve([]), stop: () => control.stop() }];
});

function running(name: string, server: Server): App {
  return { name, checks: () => Promise.resolve([{ name, ok: true, detail: server.url }]), stop: () => server.stop() };
}
