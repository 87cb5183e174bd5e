import { fileURLToPath } from 'node:url';
import { mainScript } from '../apps.js';
import type { ChildSpec } from '../supervisor/child.js';
import type { Plan } from '../supervisor/supervisor.js';
import type { Addresses } from './environment.js';

export interface PlanInput {
  services: readonly string[];
  /** One process for each service instead of one for all. */
  isolated: boolean;
  addresses: Addresses;
  /** Environment of this process and of every service. */
  inherited: NodeJS.ProcessEnv;
  environment: Readonly<Record<string, string>>;
  /** How children write their lines. */
  logFormat: 'json' | 'pretty';
  dataFolder: string;
  /** A file that exists once the installation is complete. */
  runFile: string;
  /** Whether a service is at the moment run by somebody else. */
  isTakenOver(service: string): boolean;
}

/** Name of the process that holds all services. */
export const hostName = 'services';

const serversName = 'servers';
/** Name of the gateway's process. */
export const gatewayName = 'gateway';

/** Less than what the supervisor waits for the gateway, which so ends by itself, its last requests cut off. */
const gatewayStopMs = 2_500;

/** Names of all processes that a plan may have. */
export function processNames(services: readonly string[], isolated: boolean): string[] {
  return [serversName, gatewayName, ...(isolated ? services : [hostName])];
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
  const service = (name: string): ChildSpec => ({ name, script: mainScript(name), environment: () => base(name) });
  const host: ChildSpec = {
    name: hostName,
    script: ownScript('host'),
    environment: () => ({ ...base(hostName), SERVICES: services.filter((name) => !input.isTakenOver(name)).join(',') }),
  };
  const { host: HOST, port } = addresses.gateway;
  const gateway = {
    STOP_TIMEOUT_MS: String(gatewayStopMs),
    ...base(gatewayName),
    ...noStores,
    HOST,
    PORT: String(port),
    READY_SERVICES: services.join(','),
    READY_FILE: input.runFile,
  };
  return {
    ...(Object.keys(addresses.embedded).length === 0
      ? {}
      : { servers: servers(addresses, base(serversName), input.dataFolder) }),
    services: isolated ? services.map(service) : [host],
    gateway: { name: gatewayName, script: mainScript('gateway'), environment: () => gateway },
  };
}

/** What only services need: who takes over another process shall not find the way to the data in its environment. */
const noStores = { EVENTSTORE_URL: undefined, MONGODB_URL: undefined };

function servers({ embedded: ports, passwords }: Addresses, base: NodeJS.ProcessEnv, folder: string): ChildSpec {
  const environment = {
    ...base,
    ...noStores,
    NATS_URL: undefined,
    // The servers hold data for others and have no use for the keys.
    SECRET_KEYS: undefined,
    EMBEDDED_DATA_DIR: folder,
    EMBEDDED_EVENTSTORE_PORT: ports.eventstore?.toString(),
    EMBEDDED_MONGODB_PORT: ports.mongodb?.toString(),
    EMBEDDED_NATS_PORT: ports.nats?.toString(),
    EMBEDDED_EVENTSTORE_PASSWORD: passwords.eventstore,
    EMBEDDED_MONGODB_PASSWORD: passwords.mongodb,
    EMBEDDED_NATS_PASSWORD: passwords.nats,
  };
  return { name: serversName, script: ownScript('servers'), environment: () => environment };
}

function ownScript(name: string): string {
  return fileURLToPath(new URL(`../processes/${name}.js`, import.meta.url));
}
