import { freePort, portProblem } from '@scriptorium/embedded/free-port';
import { ConfigError } from '@scriptorium/platform/config';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { serverUser, type EmbeddedServer, type ServerPasswords } from '../installation/server-passwords.js';
import type { StartSettings } from '../settings.js';
import { urlHost } from '../supervisor/readiness.js';

/**
 * Ports of the embedded servers; absent for a server that is not embedded. They stay the same after restarts, so that
 * clients reconnect.
 */
export type EmbeddedPorts = Readonly<Partial<Record<EmbeddedServer, number>>>;

/** The addresses of an installation. */
export interface Addresses {
  /** The address of the gateway. */
  gateway: { host: string; port: number; url: string };
  /** The address under which clients reach the gateway. */
  publicUrl: string;
  /** Where the gateway serves bytes of files, and the address under which clients reach that. */
  files: { port: number; origin: string };
  /** Where integrations answer, and the origin of their addresses, in which `*` stands for a name of each. */
  endpoints: { port: number; origin: string };
  /** Where the reader is reached within this machine; absent if no sites are shown. */
  reader?: { port: number; url: string };
  /** The origin at which sites are published by their ids; absent where they are published below a domain. */
  sites?: string;
  /** Where scripts of integrations are called; absent if none run. */
  runtime?: RuntimeAddress;
  embedded: EmbeddedPorts;
  passwords: ServerPasswords;
  /** The admin port of each process. The ports stay the same after restarts, so that the banner remains valid. */
  admin: Readonly<Record<string, number>>;
  /** They contain credentials and must not be logged or shown. */
  servers: { EVENTSTORE_URL: string; MONGODB_URL: string; NATS_URL: string };
}

/** The runtime of scripts. */
export interface RuntimeAddress {
  url: string;
  key: string;
  /** Its port on this machine; absent for a runtime that runs elsewhere. */
  port?: number;
}

export const loopback = '127.0.0.1';
/** The name of the process that shows sites. */
export const readerName = 'reader';
/** The name of what runs scripts of integrations: a process, or a part of that of the services. */
export const runtimeName = 'runtime';

/** Determines all addresses before any of the named processes starts. Missing ports are chosen from the free ones. */
export async function settleAddresses(
  settings: StartSettings,
  processes: readonly string[],
  passwords: ServerPasswords,
): Promise<Addresses> {
  const { HOST: host, EVENTSTORE_URL, MONGODB_URL, NATS_URL } = settings;
  const taken = new Set<number>();
  const port = settings.PORT === 0 ? await freePort(host, taken) : settings.PORT;
  const url = `http://${urlHost(host)}:${port}`;
  const { files, endpoints } = await otherOrigins(settings, port, taken);
  const readerPort =
    settings.SITE_READER === 'on' && processes.includes(readerName) ? await freePort(loopback, taken) : undefined;
  const runtime = await runtimeAddress(settings, taken);
  const sites = sitesOrigin(settings, readerPort === undefined ? undefined : files.origin);
  const embedded: EmbeddedPorts = {
    ...(EVENTSTORE_URL === undefined ? { eventstore: await freePort(loopback, taken) } : {}),
    ...(MONGODB_URL === undefined ? { mongodb: await freePort(loopback, taken) } : {}),
    ...(NATS_URL === undefined ? { nats: await freePort(loopback, taken) } : {}),
  };
  const at = (name: EmbeddedServer) => `${serverUser}:${passwords[name]}@${loopback}:${embedded[name]}`;
  const admin: Record<string, number> = {};
  for (const name of processes) admin[name] = await freePort(settings.ADMIN_HOST, taken);
  return {
    admin,
    gateway: { host, port, url },
    files,
    endpoints,
    ...(readerPort === undefined ? {} : { reader: { port: readerPort, url: `http://${loopback}:${readerPort}` } }),
    ...sites,
    ...(runtime === undefined ? {} : { runtime }),
    publicUrl: (settings.PUBLIC_URL ?? url).replace(/\/+$/, ''),
    embedded,
    passwords,
    servers: {
      EVENTSTORE_URL: EVENTSTORE_URL ?? `esdb://${at('eventstore')}?tls=false`,
      MONGODB_URL: MONGODB_URL ?? `mongodb://${at('mongodb')}`,
      NATS_URL: NATS_URL ?? `nats://${at('nats')}`,
    },
  };
}

/**
 * Where sites are published by their ids: as it is set, or where the reader shows them, unless they are published below
 * a domain.
 */
function sitesOrigin(
  { SITES_ORIGIN, PUBLISH_DOMAIN }: StartSettings,
  shownAt: string | undefined,
): Pick<Addresses, 'sites'> {
  const origin = SITES_ORIGIN ?? (PUBLISH_DOMAIN === undefined ? shownAt : undefined);
  return origin === undefined ? {} : { sites: origin.replace(/\/$/, '') };
}

/** @throws ConfigError for a runtime elsewhere without its key */
async function runtimeAddress(
  { RUNTIME, RUNTIME_URL: url, RUNTIME_KEY: given }: StartSettings,
  taken: Set<number>,
): Promise<RuntimeAddress | undefined> {
  if (RUNTIME === 'off') return undefined;
  if (url !== undefined) {
    if (given === undefined) throw new ConfigError('RUNTIME_KEY is not set, and RUNTIME_URL is');
    return { url: url.replace(/\/$/, ''), key: given };
  }
  const port = await freePort(loopback, taken);
  return { url: `http://${loopback}:${port}`, port, key: given ?? randomBytes(32).toString('base64url') };
}

/** Ports behind that of the gateway of which the first free one is taken. */
const nextPorts = 20;

/** What the gateway serves on origins besides that of the API. */
async function otherOrigins(
  settings: StartSettings,
  gateway: number,
  taken: Set<number>,
): Promise<Pick<Addresses, 'files' | 'endpoints'>> {
  const files = await filesAddress(settings, gateway, taken);
  return { files, endpoints: await endpointsAddress(settings, gateway, taken) };
}

async function filesAddress(settings: StartSettings, gateway: number, taken: Set<number>): Promise<Addresses['files']> {
  const { HOST: host, CONTENT_PORT, CONTENT_ORIGIN } = settings;
  const port = await portBehind(settings, { gateway, wanted: CONTENT_PORT }, taken);
  return { port, origin: (CONTENT_ORIGIN ?? `http://${urlHost(host)}:${port}`).replace(/\/$/, '') };
}

async function endpointsAddress(
  settings: StartSettings,
  gateway: number,
  taken: Set<number>,
): Promise<Addresses['endpoints']> {
  const { INTEGRATIONS_PORT, INTEGRATIONS_ORIGIN } = settings;
  const port = await portBehind(settings, { gateway, wanted: INTEGRATIONS_PORT }, taken);
  return { port, origin: (INTEGRATIONS_ORIGIN ?? `http://*.integrations.localhost:${port}`).replace(/\/$/, '') };
}

/** The port that is set, or the first free one behind that of the gateway, or any free one. */
async function portBehind(
  { HOST: host, PORT }: StartSettings,
  { gateway, wanted }: { gateway: number; wanted: number | undefined },
  taken: Set<number>,
): Promise<number> {
  const near = wanted === undefined && PORT !== 0 ? await freeBehind(host, gateway, taken) : undefined;
  const port = (wanted === 0 ? undefined : wanted) ?? near ?? (await freePort(host, taken));
  taken.add(port);
  return port;
}

async function freeBehind(host: string, port: number, taken: Set<number>): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + nextPorts, 65_535); next += 1) {
    if (taken.has(next) || (await portProblem(host, next)) !== undefined) continue;
    taken.add(next);
    return next;
  }
  return undefined;
}

/** The environment that every service of the installation needs, in addition to the user's own. */
export function serviceEnvironment(
  settings: StartSettings,
  addresses: Addresses,
  secretKeys: string,
): Record<string, string> {
  return {
    ...addresses.servers,
    NAMESPACE: settings.NAMESPACE,
    SECRET_KEYS: secretKeys,
    PUBLIC_URL: addresses.publicUrl,
    CONTENT_ORIGIN: addresses.files.origin,
    INTEGRATIONS_ORIGIN: addresses.endpoints.origin,
    ...(addresses.sites === undefined ? {} : { SITES_ORIGIN: addresses.sites }),
    ...(addresses.runtime === undefined
      ? {}
      : { RUNTIME_URL: addresses.runtime.url, RUNTIME_KEY: addresses.runtime.key }),
    DATA_DIR: resolve(settings.DATA_DIR),
    RATE_LIMIT: String(settings.RATE_LIMIT),
    ADMIN_HOST: settings.ADMIN_HOST,
    // Several processes cannot have the same fixed port.
    ADMIN_PORT: '0',
  };
}
