import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { bootstrapInstallation, operationList } from '@scriptorium/contracts';
import { freePort } from '@scriptorium/embedded/free-port';
import { dropDatabases, eventually } from '@scriptorium/event-sourcing/testing';
import { connectMessaging } from '@scriptorium/messaging';
import {
  createLogger,
  createRegistry,
  parseConfig,
  serviceSettings,
  type App,
  type ProcessContext,
  type ServiceConfig,
} from '@scriptorium/platform';
import { newPersonalToken } from '@scriptorium/platform/token-secret';
import { gatewayDefaults, secretKeys } from './gateway-defaults.js';
import type { ServerUrls } from './host-protocol.js';
import { clientOf, type FirstRun } from './rig.js';

/** A service as rigs start it: what `create.ts` and `settings.ts` of its app export. */
export interface RigService {
  name: string;
  create: (config: ServiceConfig, process: ProcessContext) => Promise<App>;
  settings: Readonly<Record<string, unknown>>;
}

/** Starts the gateway with these settings. */
export type StartGateway = (
  settings: typeof gatewayDefaults & { natsUrl: string },
) => Promise<{ address: string; stop(): Promise<void> }>;

export interface InstallationOptions {
  /** The first one is that of the specs. Identity has to be among them. */
  services: readonly [RigService, ...RigService[]];
  startGateway: StartGateway;
  /** Further variables of the services' environment. */
  variables?: Readonly<Record<string, string>>;
}

/** The gateway and services in a namespace of their own, with a first user and organization. */
export interface Installation {
  endpoint: string;
  /** The port at which integrations answer. */
  endpointsPort: number;
  first: FirstRun;
  config: ServiceConfig & { DATA_DIR: string };
  /** Starts one more replica of the first service, or of another one. */
  replica(service?: string): Promise<App>;
}

/** Where an installation keeps what it has: servers, a folder, and what is done when it ends, the last one first. */
export interface Ground {
  servers: ServerUrls;
  /** Others use the servers, too: what the installation has in them is removed when it ends. */
  isShared: boolean;
  folder: string;
  ends: (() => Promise<unknown>)[];
}

/** Starts an installation. What it has started is in `ends`, also when something could not start. */
export async function startInstallation(
  { services, startGateway, variables = {} }: InstallationOptions,
  { servers, isShared, folder, ends }: Ground,
): Promise<Installation> {
  const namespace = `t${randomUUID().slice(0, 8)}`;
  const { files, endpoints, origins, release } = await otherOrigins();
  ends.push(release);
  const own = { ...origins, NAMESPACE: namespace, DATA_DIR: folder };
  const environment = { ...defaults, ...servers, ...own, ...variables };
  const configOf = ({ settings }: RigService) =>
    parseConfig({ ...serviceSettings, ...(settings as typeof serviceSettings) }, environment);
  const startOne = async (service: RigService): Promise<App> => {
    const config = configOf(service);
    const app = await service.create(config, { logger: createLogger('test', config), registry: createRegistry() });
    ends.push(() => app.stop());
    return app;
  };
  if (isShared) ends.push(() => dropDatabases(servers.MONGODB_URL, `${namespace}_`));
  await Promise.all(services.map(startOne));
  const config = { ...configOf(services[0]), DATA_DIR: folder };
  await release();
  const gateway = await startGateway({ ...gatewayDefaults, namespace, natsUrl: servers.NATS_URL, files, endpoints });
  ends.push(() => gateway.stop());
  const first = await bootstrap(config);
  const { send } = clientOf(gateway.address, first);
  for (const { name } of services) await untilAnswering(name, send, first.organization);
  return {
    endpoint: gateway.address,
    endpointsPort: endpoints.port,
    first,
    config,
    replica: (other) => startOne(services.find((service) => service.name === other) ?? services[0]),
  };
}

/**
 * Waits until a service decides on access: one that has just begun answers 503 until it has heard identity, and what a
 * spec makes first would not be there.
 */
async function untilAnswering(
  service: string,
  send: ReturnType<typeof clientOf>['send'],
  organization: string,
): Promise<void> {
  const path = operationList
    .filter((operation) => operation.service === service && operation.method === 'GET')
    .map((operation) => operation.path.replace('{organizationId}', organization))
    .find((path) => path.startsWith(`/orgs/${organization}`) && !path.includes('{'));
  if (path !== undefined) await eventually(async () => (await send('GET', path)).status === 200);
}

/** Makes the first user, an operator, and the first organization. */
async function bootstrap(config: ServiceConfig): Promise<FirstRun> {
  const messaging = await connectMessaging({ url: config.NATS_URL, name: 'test', namespace: config.NAMESPACE });
  const secret = newPersonalToken();
  const email = 'owner@example.com';
  const { body } = await messaging.client().request({
    service: 'identity',
    operation: bootstrapInstallation.id,
    body: Buffer.from(
      JSON.stringify({
        user: { email, displayName: 'Olga Owner' },
        organization: { title: 'First Organization' },
        token: { id: secret.id, hash: secret.hash, label: 'first' },
      }),
    ),
    headers: {},
    timeoutMs: 30_000,
  });
  await messaging.close();
  const { user, organization } = bootstrapInstallation.response.parse(JSON.parse(new TextDecoder().decode(body)));
  return { owner: { id: user.id, email, token: secret.token }, organization: organization.id };
}

/**
 * Where the gateway serves files, and integrations answer: services need to know it before the gateway starts. The
 * ports are held until they are released, so that no other process takes them while services start.
 */
async function otherOrigins() {
  const held = [await holdPort(), await holdPort()] as const;
  const [{ port }, { port: endpointsPort }] = held;
  const files = { ...gatewayDefaults.files, port, origin: `http://127.0.0.1:${port}` };
  const origin = `http://integrations.localhost:${endpointsPort}`;
  const INTEGRATIONS_ORIGIN = origin.replace('//', '//*.');
  return {
    files,
    endpoints: { ...gatewayDefaults.endpoints, port: endpointsPort, origin },
    origins: { CONTENT_ORIGIN: files.origin, INTEGRATIONS_ORIGIN },
    release: () => Promise.all(held.map((one) => one.release())),
  };
}

const holdAttempts = 5;

/** A free port at which something listens until it is released. */
async function holdPort(): Promise<{ port: number; release(): Promise<void> }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const holder = createServer().listen(port, '127.0.0.1');
    try {
      await once(holder, 'listening');
      return { port, release: () => new Promise((resolve) => holder.close(() => resolve())) };
    } catch (error) {
      if (attempt === holdAttempts) throw error;
    }
  }
}

/** Settings of services in specs, unless a spec sets them: no limits of rates. */
const defaults = {
  PUBLIC_URL: 'https://docs.example',
  LOG_LEVEL: 'error',
  LOG_FORMAT: 'json',
  SECRET_KEYS: secretKeys,
  RATE_LIMIT: '0',
  RATE_LIMIT_ANONYMOUS: '0',
  RATE_LIMIT_CONTENT_WRITE: '0',
  RATE_LIMIT_SEARCH: '0',
  RATE_LIMIT_PDF: '0',
};
