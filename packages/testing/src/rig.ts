import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationList } from '@scriptorium/contracts';
import { eventStoreForTests, mongoForTests, natsForTests } from '@scriptorium/embedded/test-servers';
import { createStore, type Store } from '@scriptorium/event-sourcing';
import { dropDatabases, eventually } from '@scriptorium/event-sourcing/testing';
import {
  createLogger,
  createRegistry,
  parseConfig,
  serviceSettings,
  type App,
  type ProcessContext,
  type ServiceConfig,
} from '@scriptorium/platform';
import { gatewayDefaults, secretKeys } from './gateway-defaults.js';
import { bootstrap, createPerson, type Person } from './people.js';
import { sender, type Answer, type Send } from './requests.js';

export type { Person } from './people.js';

/** A service as the rig starts it: what `create.ts` and `settings.ts` of its app export. */
export interface RigService {
  name: string;
  create: (config: ServiceConfig, process: ProcessContext) => Promise<App>;
  settings: Readonly<Record<string, unknown>>;
}

export interface RigOptions {
  /** The first one is that of the specs. Identity has to be among them. */
  services: readonly [RigService, ...RigService[]];
  /** Starts the gateway with these settings. */
  startGateway: (
    settings: typeof gatewayDefaults & { natsUrl: string },
  ) => Promise<{ address: string; stop(): Promise<void> }>;
  /** Further variables of the services' environment. */
  variables?: Readonly<Record<string, string>>;
}

/** The gateway and services over the three servers, in a namespace of their own, spoken to by HTTP. */
export interface Rig {
  endpoint: string;
  /** The first user: an operator, and admin of `organization`. */
  owner: Person;
  organization: string;
  /** Sends a request; the owner's token unless told otherwise. A 2xx body must fit the contract. */
  send(method: string, path: string, options?: Send): Promise<Answer>;
  /** Gets what is a text. */
  text(path: string): Promise<string>;
  /** Creates a user with a token. */
  person(name: string): Promise<Person>;
  /** Creates a user and makes them a member of the organization. */
  member(name: string, role: string | null): Promise<Person>;
  /** Starts one more replica of the first service, or of another one. */
  replica(service?: string): Promise<App>;
  config: ServiceConfig & { DATA_DIR: string };
  /** The folder of everything that was started here. */
  folder: string;
  /**
   * Another store on the log and the read models of the first service: for what a process wrote that died right after.
   * Runs nothing.
   */
  store: Store;
  /** Removes deleted events and documents from disk, of servers that were started here. */
  scavenge(): Promise<unknown>;
  /** `look`: at the data folder, when everything has stopped, before it is removed. */
  stop(look?: (folder: string) => Promise<void>): Promise<void>;
}

/**
 * Starts everything, servers that the environment does not name in a folder of their own. What was started is stopped
 * when something cannot be.
 */
export async function startRig(options: RigOptions): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), `${options.services[0].name}-`));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const stop = async (look?: (folder: string) => Promise<void>): Promise<void> => {
    const [remove, ...others] = ends;
    for (const end of others.toReversed()) await end();
    await look?.(folder);
    await remove?.();
  };
  try {
    return { ...(await start(options, folder, ends)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { services, startGateway, variables = {} }: RigOptions,
  folder: string,
  ends: (() => Promise<unknown>)[],
): Promise<Omit<Rig, 'stop'>> {
  const servers = await startServers(folder);
  const { eventstore, mongo, nats } = servers;
  ends.push(() => servers.stop());
  const namespace = `t${randomUUID().slice(0, 8)}`;
  if (mongo.given) ends.push(() => dropDatabases(mongo.url, `${namespace}_`));
  const urls = { EVENTSTORE_URL: eventstore.url, MONGODB_URL: mongo.url, NATS_URL: nats.url };
  const files = await filesAddress();
  const environment = { ...defaults, ...urls, ...ownOf(files, namespace, folder), ...variables };
  const configOf = ({ settings }: RigService) =>
    parseConfig({ ...serviceSettings, ...(settings as typeof serviceSettings) }, environment);
  const startOne = async (service: RigService): Promise<App> => {
    const config = configOf(service);
    const app = await service.create(config, { logger: createLogger('test', config), registry: createRegistry() });
    ends.push(() => app.stop());
    return app;
  };
  await Promise.all(services.map(startOne));
  const config = { ...configOf(services[0]), DATA_DIR: folder };
  const [{ name: service }] = services;
  const store = createStore({ service, namespace, eventstoreUrl: eventstore.url, mongoUrl: mongo.url });
  ends.push(() => store.stop());
  const gateway = await startGateway({ ...gatewayDefaults, namespace, natsUrl: nats.url, files });
  ends.push(() => gateway.stop());
  return {
    ...(await openTo(services, gateway.address, config)),
    endpoint: gateway.address,
    config,
    folder,
    store,
    scavenge: () => servers.scavenge(),
    replica: (other) => startOne(services.find((service) => service.name === other) ?? services[0]),
  };
}

/** Makes the first user and organization, and waits until all services answer. */
async function openTo(services: readonly RigService[], address: string, config: ServiceConfig) {
  const first = await bootstrap(config);
  const client = clientOf(address, first);
  for (const { name } of services) await untilAnswering(name, client.send, first.organization);
  return { ...first, ...client };
}

/**
 * Waits until a service decides on access: one that has just begun answers 503 until it has heard identity, and what a
 * spec makes first would not be there.
 */
async function untilAnswering(service: string, send: Rig['send'], organization: string): Promise<void> {
  const path = operationList
    .filter((operation) => operation.service === service && operation.method === 'GET')
    .map((operation) => operation.path.replace('{organizationId}', organization))
    .find((path) => path.startsWith(`/orgs/${organization}`) && !path.includes('{'));
  if (path !== undefined) await eventually(async () => (await send('GET', path)).status === 200);
}

function ownOf({ origin }: typeof gatewayDefaults.files, namespace: string, folder: string) {
  return { CONTENT_ORIGIN: origin, NAMESPACE: namespace, DATA_DIR: folder };
}

/** Where the gateway serves files: services need to know it before the gateway starts. */
async function filesAddress(): Promise<typeof gatewayDefaults.files> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return { ...gatewayDefaults.files, port, origin: `http://127.0.0.1:${port}` };
}

/** Settings of services in specs, unless a spec sets them. */
const defaults = {
  PUBLIC_URL: 'https://docs.example',
  LOG_LEVEL: 'error',
  LOG_FORMAT: 'json',
  SECRET_KEYS: secretKeys,
};

async function startServers(folder: string) {
  const eventstore = await eventStoreForTests({ dataDir: join(folder, 'eventstore') });
  const mongo = await mongoForTests({ dataDir: join(folder, 'mongodb') });
  const nats = await natsForTests();
  return {
    eventstore,
    mongo,
    nats,
    scavenge: () =>
      Promise.all([
        eventstore.given ? null : eventstore.ours().scavenge(),
        mongo.given ? null : mongo.ours().compact(),
      ]),
    stop: () => Promise.all([eventstore.stop(), mongo.stop(), nats.stop()]),
  };
}

/** What requests are sent with. */
function clientOf(
  address: string,
  { owner, organization }: { owner: Person; organization: string },
): Pick<Rig, 'send' | 'text' | 'person' | 'member'> {
  const send = sender(address);
  const asOwner = (method: string, path: string, options: Send = {}) =>
    send(method, path, { token: owner.token, ...options });
  const person = (name: string) => createPerson(asOwner, name);
  return {
    send: asOwner,
    text: async (path) => (await fetch(`${address}/v1${path}`)).text(),
    person,
    async member(name, role) {
      const someone = await person(name);
      await asOwner('POST', `/orgs/${organization}/invites`, { body: { emails: [someone.email], role } });
      return someone;
    },
  };
}
