import { join } from 'node:path';
import { ConfigError } from '@scriptorium/platform/config';
import type { App, Logger } from '@scriptorium/platform';
import { embeddedServers, serverUser, type EmbeddedServer } from '../installation/server-passwords.js';
import type { ServersSettings } from './servers-settings.js';
import type { Stores } from './servers-stores.js';

interface Server {
  stop(): Promise<void>;
}

/** The options with which an embedded server is started. */
interface Place {
  host: string;
  port: number;
  auth: { user: string; password: string };
  logger: (line: string) => void;
}

/** The embedded servers have no TLS, so they accept connections of this machine only. */
const host = '127.0.0.1';
const hourMs = 3_600_000;

/**
 * Starts the embedded servers that have a port.
 * @param stores is called with their stores
 * @throws ConfigError for a server that has a port and no password
 */
export async function startEmbedded(config: ServersSettings, stores: Stores, logger: Logger): Promise<App[]> {
  const start = starting(config, stores);
  const places = embeddedServers.flatMap((name) => {
    const place = placeOf(name, config, logger);
    return place === undefined ? [] : [{ name, place }];
  });
  return Promise.all(places.map(async ({ name, place }) => appOf(name, place, await start[name](place))));
}

/** The start of each server. The code of a server is loaded only when it starts. */
function starting(
  { EMBEDDED_DATA_DIR: folder, SCAVENGE_HOURS: hours }: ServersSettings,
  stores: Stores,
): Record<EmbeddedServer, (place: Place) => Promise<Server>> {
  return {
    async eventstore(place) {
      const { startEventStoreServer } = await import('@scriptorium/embedded/eventstore');
      const options = { ...place, dataDir: join(folder, 'eventstore'), scavengeEveryMs: hours * hourMs };
      return (stores.eventstore = await startEventStoreServer(options));
    },
    async mongodb(place) {
      const { startMongoServer } = await import('@scriptorium/embedded/mongodb');
      const options = { ...place, dataDir: join(folder, 'mongodb'), compactEveryMs: hours * hourMs };
      return (stores.mongodb = await startMongoServer(options));
    },
    async nats(place) {
      const { startNatsServer } = await import('@scriptorium/embedded/nats');
      return startNatsServer(place);
    },
  };
}

function placeOf(name: EmbeddedServer, config: ServersSettings, logger: Logger): Place | undefined {
  const upper = name.toUpperCase() as Uppercase<EmbeddedServer>;
  const port = config[`EMBEDDED_${upper}_PORT`];
  if (port === undefined) return undefined;
  const password = config[`EMBEDDED_${upper}_PASSWORD`];
  if (password === undefined) throw new ConfigError(`EMBEDDED_${upper}_PASSWORD is not set`);
  return { host, port, auth: { user: serverUser, password }, logger: (line) => logger.info({ server: name }, line) };
}

function appOf(name: EmbeddedServer, { port }: Place, server: Server): App {
  const detail = `${host}:${port}`;
  return { name, checks: () => Promise.resolve([{ name, ok: true, detail }]), stop: () => server.stop() };
}
