import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { services } from '@scriptorium/contracts';
import { freePort } from '@scriptorium/embedded/free-port';
import type { Cleanup } from '../processes/cleanup.js';
import { repositoryFile } from '../processes/paths.js';
import { tempFolder } from '../processes/temp-folder.js';
import { waitFor } from '../processes/wait-for.js';
import type { Findings } from './findings.js';
import { manage, type Managed } from './managed-process.js';

/** The product's own processes under this harness: servers, gateways, replicas of each service. */
export interface World {
  /** Of the first gateway. */
  endpoint: string;
  endpoints: readonly string[];
  token: string;
  /** One process of all three servers, or one for each. */
  servers: readonly Managed[];
  gateway: Managed;
  /** All of them; `gateway` is the first. */
  gateways: readonly Managed[];
  replicas: readonly Managed[];
  all: readonly Managed[];
  /** Where a process answers `/readyz` with details. */
  adminOf(process: Managed): string;
  /** Waits until a process answers `/readyz` with success. */
  untilWell(process: Managed, withinMs: number): Promise<void>;
  /** Waits until every process says that it is ready. */
  untilReady(withinMs: number): Promise<void>;
}

export interface WorldOptions {
  /** Of each service. */
  replicas: number;
  /** One unless given. */
  gateways?: number;
  /** Whether each server has a process of its own, so that one alone can be away. */
  separateServers?: boolean;
  /** The port by which a replica reaches a server, made of that of the server; the server's own unless given. */
  through?: (replica: string, server: ServerName, port: number) => Promise<number>;
}

export type ServerName = 'eventstore' | 'mongodb' | 'nats';

const startMs = 60_000;
const loopback = '127.0.0.1';

export async function createWorld(
  { replicas: replicaCount, gateways: gatewayCount = 1, separateServers = false, through }: WorldOptions,
  findings: Findings,
  cleanup: Cleanup,
): Promise<World> {
  const folder = await tempFolder(cleanup);
  const [eventstore, mongodb, nats] = [await freePort(), await freePort(), await freePort()];
  const gatewayPorts = await Promise.all(Array.from({ length: gatewayCount }, () => freePort()));
  const endpoints = gatewayPorts.map((port) => `http://${loopback}:${port}`);
  const endpoint = endpoints[0] ?? '';
  const admin = new Map<string, number>();
  const admins = async (name: string) => {
    admin.set(name, await freePort());
    return { LOG_FORMAT: 'json', LOG_LEVEL: 'warn', ADMIN_PORT: String(admin.get(name)) };
  };
  const password = randomBytes(24).toString('base64url');
  const at = (port: number) => `scriptorium:${password}@${loopback}:${port}`;
  const natsUrl = `nats://${at(nats)}`;
  const serversOf = async (replica: string) => {
    const port = async (server: ServerName, own: number) => (await through?.(replica, server, own)) ?? own;
    return {
      EVENTSTORE_URL: `esdb://${at(await port('eventstore', eventstore))}?tls=false`,
      MONGODB_URL: `mongodb://${at(await port('mongodb', mongodb))}`,
      NATS_URL: `nats://${at(await port('nats', nats))}`,
    };
  };
  const shared = {
    PUBLIC_URL: endpoint,
    SECRET_KEYS: `k1:${randomBytes(32).toString('base64')},reservation:${randomBytes(32).toString('base64')}`,
  };
  const passwords = {
    EMBEDDED_EVENTSTORE_PASSWORD: password,
    EMBEDDED_MONGODB_PASSWORD: password,
    EMBEDDED_NATS_PASSWORD: password,
  };
  const ports = {
    EMBEDDED_EVENTSTORE_PORT: String(eventstore),
    EMBEDDED_MONGODB_PORT: String(mongodb),
    EMBEDDED_NATS_PORT: String(nats),
  };
  const server = async (name: string, own: Record<string, string>) =>
    manage(
      {
        name,
        script: repositoryFile('apps/cli/dist/processes/servers.js'),
        environment: { ...(await admins(name)), EMBEDDED_DATA_DIR: folder, ...passwords, ...own },
      },
      findings,
    );
  const servers = separateServers
    ? await Promise.all(
        Object.entries(ports).map(([name, port]) =>
          server(name.split('_')[1]?.toLowerCase() ?? name, { [name]: port }),
        ),
      )
    : [await server('servers', ports)];
  const gateways = await Promise.all(
    gatewayPorts.map(async (port, index) =>
      manage(
        {
          name: index === 0 ? 'gateway' : `gateway-${index + 1}`,
          script: repositoryFile('apps/gateway/dist/main.js'),
          environment: {
            ...(await admins(index === 0 ? 'gateway' : `gateway-${index + 1}`)),
            NATS_URL: natsUrl,
            PUBLIC_URL: endpoint,
            SECRET_KEYS: shared.SECRET_KEYS,
            HOST: loopback,
            PORT: String(port),
            CONTENT_PORT: '0',
            INTEGRATIONS_PORT: '0',
            RATE_LIMIT: '0',
          },
        },
        findings,
      ),
    ),
  );
  const gateway = gateways[0] as Managed;
  const replicas: Managed[] = [];
  for (const { name: service } of services) {
    for (let index = 1; index <= replicaCount; index += 1) {
      const name = `${service}-${index}`;
      const environment = { ...(await admins(name)), ...(await serversOf(name)), ...shared };
      replicas.push(manage({ name, script: repositoryFile(`apps/${service}/dist/main.js`), environment }, findings));
    }
  }
  const all = [...servers, ...gateways, ...replicas];
  cleanup.add(async () => {
    await Promise.all(gateways.map((each) => each.stop()));
    await Promise.all(replicas.map((replica) => replica.stop()));
    await Promise.all(servers.map((each) => each.stop()));
  });
  const adminOf = ({ name }: Managed) => `http://${loopback}:${admin.get(name)}`;
  const untilWell = async (process: Managed, withinMs: number) =>
    void (await waitFor(`${process.name} to be well`, () => isWell(adminOf(process)), withinMs, 100));
  const untilReady = async (withinMs: number) => {
    await Promise.all(all.map((each) => each.untilReady(withinMs)));
    for (const each of all) await untilWell(each, withinMs);
  };
  for (const each of servers) each.start();
  await Promise.all(servers.map((each) => each.untilReady(startMs)));
  for (const each of [...gateways, ...replicas]) each.start();
  await untilReady(startMs);
  return {
    endpoint,
    endpoints,
    token: await bootstrap(natsUrl),
    servers,
    gateway,
    gateways,
    replicas,
    all,
    adminOf,
    untilWell,
    untilReady,
  };
}

async function isWell(admin: string): Promise<boolean> {
  const response = await fetch(`${admin}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.ok === true;
}

/** Has the product's own command create the first user; answers the token. */
async function bootstrap(natsUrl: string): Promise<string> {
  const script = `const { main } = await import(${JSON.stringify(repositoryFile('apps/cli/dist/main.js'))}); await main(['node', 'scriptorium', 'bootstrap']);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { PATH: process.env['PATH'], NATS_URL: natsUrl },
    timeout: startMs,
  });
  return stdout.trim();
}
