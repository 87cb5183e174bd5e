import { join } from 'node:path';
import { parseConfig, processSettings } from '@scriptorium/platform/config';
import type { App } from '@scriptorium/platform';
import { runProcess } from '@scriptorium/platform/process';
import * as z from 'zod';

const port = z.coerce.number().int().min(1).max(65_535).optional();
const { ADMIN_HOST, ADMIN_PORT, LOG_LEVEL, LOG_FORMAT } = processSettings;

/** Settings of the process of embedded servers; a server whose port is not set is not started. */
const settings = {
  ADMIN_HOST, ADMIN_PORT, LOG_LEVEL, LOG_FORMAT,
  EMBEDDED_DATA_DIR: z.string().min(1),
  EMBEDDED_EVENTSTORE_PORT: port,
  EMBEDDED_MONGODB_PORT: port,
  EMBEDDED_NATS_PORT: port,
};

interface Server {
  url: string;
  stop(): Promise<void>;
}

/** Only loopback: the embedded servers ask nobody for a password. */
const host = '127.0.0.1';

await runProcess('servers', () => parseConfig(settings, process.env), async (config, { logger }) => {
  const folder = (name: string) => join(config.EMBEDDED_DATA_DIR, name);
  const log = (name: string) => (line: string) => logger.info({ server: name }, line);
  const wanted: [name: string, port: number | undefined, start: (port: number) => Promise<Server>][] = [
    ['nats', config.EMBEDDED_NATS_PORT, async (port) => {
      const { startNatsServer } = await import('@scriptorium/embedded/nats');
      return startNatsServer({ host, port, logger: log('nats') });
    }],
    ['mongodb', config.EMBEDDED_MONGODB_PORT, async (port) => {
      const { startMongoServer } = await import('@scriptorium/embedded/mongodb');
      return startMongoServer({ host, port, dataDir: folder('mongodb'), logger: log('mongodb') });
    }],
    ['eventstore', config.EMBEDDED_EVENTSTORE_PORT, async (port) => {
      const { startEventStoreServer } = await import('@scriptorium/embedded/eventstore');
      return startEventStoreServer({ host, port, dataDir: folder('eventstore'), logger: log('eventstore') });
    }],
  ];
  const started = wanted.map(async ([name, at, start]) => (at === undefined ? undefined : running(name, await start(at))));
  return (await Promise.all(started)).filter((app) => app !== undefined);
});

function running(name: string, server: Server): App {
  return { name, checks: () => Promise.resolve([{ name, ok: true, detail: server.url }]), stop: () => server.stop() };
}
