import { fileURLToPath } from 'node:url';
import { mainScript } from '../apps.js';
import type { ChildSpec } from '../supervisor/child.js';
import type { Plan } from '../supervisor/supervisor.js';
import { loopback, readerName, runtimeName, type Addresses } from './environment.js';

export interface PlanInput {
  services: readonly string[];
  /** Whether each service has its own process. */
  isolated: boolean;
  addresses: Addresses;
  /** The environment of this process, which every service gets. */
  inherited: NodeJS.ProcessEnv;
  environment: Readonly<Record<string, string>>;
  /** The form of the log lines of children. */
  logFormat: 'json' | 'pretty';
  dataFolder: string;
  /** A file that exists when the installation is complete. */
  runFile: string;
  /** Whether a developer runs the service at the moment. */
  isTakenOver(service: string): boolean;
}

/** The name of the process with all services. */
export const hostName = 'services';

const serversName = 'servers';
/** The service that has scripts run. */
const callerOfScripts = 'integrations';
/**
 * Node reads each socket into 64 KiB of memory that only a collection frees. With a small young generation that is a
 * short one of the young objects; with a large one the whole heap is marked six times a second under load, which
 * doubled the servers' CPU time.
 */
const serversFlags = ['--max-semi-space-size=2'];
/**
 * Garbage is collected when the heap has doubled. By itself V8 lets it grow to four times what is in use, and keeps
 * 400 MB of garbage after load. This costs about a tenth of the CPU of a write, and less of a read.
 */
const serviceFlags = ['--heap-growing-percent=100'];
/** The name of the gateway's process. */
export const gatewayName = 'gateway';

/**
 * Shorter than the time that the supervisor gives the gateway, so that the gateway ends by itself and disconnects the
 * last requests.
 */
const gatewayStopMs = 2_500;

/** The names of all processes that a plan can contain. */
export function processNames(services: readonly string[], isolated: boolean): string[] {
  const reader = services.includes('sites') ? [readerName] : [];
  const runtime = isolated && services.includes(callerOfScripts) ? [runtimeName] : [];
  return [serversName, gatewayName, ...(isolated ? services : [hostName]), ...runtime, ...reader];
}

/** The processes to run, each with its whole environment. */
export function planProcesses(input: PlanInput): Plan {
  const { addresses, services, isolated } = input;
  const base = (name: string): NodeJS.ProcessEnv => ({
    ...input.inherited,
    ...input.environment,
    LOG_FORMAT: input.logFormat,
    ADMIN_PORT: String(addresses.admin[name] ?? 0),
  });
  const service = (name: string): ChildSpec => ({
    name,
    script: mainScript(name),
    flags: serviceFlags,
    environment: () => base(name),
  });
  const scripts = services.includes(callerOfScripts) ? runtimeSettings(addresses) : undefined;
  const host: ChildSpec = {
    name: hostName,
    script: ownScript('host'),
    flags: serviceFlags,
    environment: () => ({
      ...base(hostName),
      ...scripts,
      SERVICES: [
        ...services.filter((name) => !input.isTakenOver(name)),
        ...(scripts === undefined ? [] : [runtimeName]),
      ].join(','),
    }),
  };
  return {
    ...(Object.keys(addresses.embedded).length === 0
      ? {}
      : { servers: servers(addresses, base(serversName), input.dataFolder) }),
    services: [
      ...(isolated ? services.map(service) : [host]),
      ...(isolated && scripts !== undefined ? [runtime(scripts, base(runtimeName))] : []),
      ...(addresses.reader === undefined ? [] : [reader(addresses, addresses.reader.port, base(readerName))]),
    ],
    gateway: gateway(input, base(gatewayName)),
  };
}

function gateway({ addresses, services, runFile }: PlanInput, base: NodeJS.ProcessEnv): ChildSpec {
  const { host: HOST, port } = addresses.gateway;
  const environment = {
    STOP_TIMEOUT_MS: String(gatewayStopMs),
    ...base,
    ...noStores,
    ...noRuntime,
    HOST,
    PORT: String(port),
    CONTENT_PORT: String(addresses.files.port),
    INTEGRATIONS_PORT: String(addresses.endpoints.port),
    READY_SERVICES: services.join(','),
    READY_FILE: runFile,
    ...(addresses.reader === undefined ? {} : { SITE_READER_URL: addresses.reader.url }),
  };
  return { name: gatewayName, script: mainScript('gateway'), flags: serviceFlags, environment: () => environment };
}

/**
 * Only services need the addresses of the stores, and the keys of others. An attacker who controls another process must
 * not find them in its environment.
 */
const noStores = {
  EVENTSTORE_URL: undefined,
  MONGODB_URL: undefined,
  FILES_S3_ACCESS_KEY_ID: undefined,
  FILES_S3_SECRET_ACCESS_KEY: undefined,
  TRANSLATION_KEY: undefined,
  CONVERSATIONS_CHAT_KEY: undefined,
  CONVERSATIONS_EMBEDDINGS_KEY: undefined,
};

/** The key of the runtime is for the service that calls scripts. */
const noRuntime = { RUNTIME_URL: undefined, RUNTIME_KEY: undefined };

/** Neither keys nor the addresses of servers. */
const noServers = { ...noStores, NATS_URL: undefined, SECRET_KEYS: undefined };

/** Where the runtime of this machine listens; undefined if scripts run elsewhere, or nowhere. */
function runtimeSettings({ gateway, publicUrl, runtime: address }: Addresses): Record<string, string> | undefined {
  if (address?.port === undefined) return undefined;
  return {
    RUNTIME_HOST: loopback,
    RUNTIME_PORT: String(address.port),
    RUNTIME_KEY: address.key,
    RUNTIME_API_ORIGIN: publicUrl,
    RUNTIME_API_URL: gateway.url,
  };
}

function runtime(settings: Record<string, string>, base: NodeJS.ProcessEnv): ChildSpec {
  const environment = { ...base, ...noServers, ...settings };
  return { name: runtimeName, script: mainScript('runtime'), environment: () => environment };
}

/** The reader is a client of the API: it gets neither keys nor the addresses of servers. */
function reader({ gateway, publicUrl, files }: Addresses, port: number, base: NodeJS.ProcessEnv): ChildSpec {
  const environment = {
    ...base,
    ...noServers,
    ...noRuntime,
    READER_HOST: loopback,
    READER_PORT: String(port),
    READER_API_URL: gateway.url,
    READER_APP_URL: base['APP_URL'] || publicUrl,
    CONTENT_ORIGIN: files.origin,
  };
  return { name: readerName, script: mainScript('reader'), environment: () => environment };
}

function servers({ embedded: ports, passwords }: Addresses, base: NodeJS.ProcessEnv, folder: string): ChildSpec {
  const environment = {
    ...base,
    ...noServers,
    ...noRuntime,
    EMBEDDED_DATA_DIR: folder,
    EMBEDDED_EVENTSTORE_PORT: ports.eventstore?.toString(),
    EMBEDDED_MONGODB_PORT: ports.mongodb?.toString(),
    EMBEDDED_NATS_PORT: ports.nats?.toString(),
    EMBEDDED_EVENTSTORE_PASSWORD: passwords.eventstore,
    EMBEDDED_MONGODB_PASSWORD: passwords.mongodb,
    EMBEDDED_NATS_PASSWORD: passwords.nats,
  };
  return { name: serversName, script: ownScript('servers'), flags: serversFlags, environment: () => environment };
}

function ownScript(name: string): string {
  return fileURLToPath(new URL(`../processes/${name}.js`, import.meta.url));
}
