import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootstrapInstallation, operationList, type Operation } from '@scriptorium/contracts';
import { eventStoreForTests, mongoForTests, natsForTests } from '@scriptorium/embedded/test-servers';
import { createStore, type Store } from '@scriptorium/event-sourcing';
import { dropDatabases } from '@scriptorium/event-sourcing/testing';
import { createGateway, type GatewayConfig } from '@scriptorium/gateway';
import { connectMessaging } from '@scriptorium/messaging';
import {
  createLogger,
  createRegistry,
  parseConfig,
  serviceSettings,
  type App,
  type ServiceConfig,
} from '@scriptorium/platform';
import { create } from '../create.js';
import { settings } from '../settings.js';
import { parseKeyring } from '@scriptorium/platform/keyring';
import { newPersonalToken } from '@scriptorium/platform/token-secret';

export { eventually } from '@scriptorium/event-sourcing/testing';

/** A user with a token. */
export interface Person {
  id: string;
  email: string;
  token: string;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

/** A response body as specs read it. It has been checked against the contract. */
export interface Body extends Record<string, unknown> {
  items: Body[];
  error: { code: number; reason: string; message: string; details?: { path: string }[] };
}

/** The value in a body at a dotted path. */
export function get(body: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], body);
}

export interface Send {
  token?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The gateway and identity with the three servers, in their own namespace. Specs use them through HTTP. */
export interface Rig {
  endpoint: string;
  /** The first user: an operator, and admin of `organization`. */
  owner: Person;
  organization: string;
  /** Sends a request, by default with the token of the owner. A 2xx body must match the contract. */
  send(method: string, path: string, options?: Send): Promise<Answer>;
  /** Gets a resource as text. */
  text(path: string): Promise<string>;
  /** Creates a user with a token. */
  person(name: string): Promise<Person>;
  /** Creates a user and makes them a member of the organization. */
  member(name: string, role: string | null): Promise<Person>;
  /** Starts another replica of identity. */
  replica(): Promise<App>;
  config: ServiceConfig & { DATA_DIR: string };
  /**
   * Another store on the same log and read models, without projections and reactors. It is for events of a process that
   * stopped right after.
   */
  store: Store;
  /** The texts of the mail to an address, in the order in which it was sent. */
  mailTo(email: string): Promise<string[]>;
  /** Removes deleted events and documents from disk, for servers that the rig has started. */
  scavenge(): Promise<unknown>;
  /** Stops everything. `look` is called with the data folder before the folder is removed. */
  stop(look?: (folder: string) => Promise<void>): Promise<void>;
}

/**
 * Starts everything. Servers that the environment does not name are started in a temporary folder. `variables`: further
 * variables of the environment of identity. `own`: settings of the gateway.
 */
export async function startRig(variables: Record<string, string> = {}, own: Partial<GatewayConfig> = {}): Promise<Rig> {
  const folder = await mkdtemp(join(tmpdir(), 'identity-'));
  const eventstore = await eventStoreForTests({ dataDir: join(folder, 'eventstore') });
  const mongo = await mongoForTests({ dataDir: join(folder, 'mongodb') });
  const nats = await natsForTests();
  const namespace = `t${randomUUID().slice(0, 8)}`;
  const config = parseConfig(
    { ...serviceSettings, ...settings },
    {
      NAMESPACE: namespace,
      EVENTSTORE_URL: eventstore.url,
      MONGODB_URL: mongo.url,
      NATS_URL: nats.url,
      PUBLIC_URL: 'https://docs.example',
      LOG_LEVEL: 'error',
      LOG_FORMAT: 'json',
      DATA_DIR: folder,
      ...variables,
      SECRET_KEYS: secretKeys,
    },
  );
  const process = () => ({ logger: createLogger('test', config), registry: createRegistry() });
  const replicas = [await create(config, process())];
  const store = createStore({ service: 'identity', namespace, eventstoreUrl: eventstore.url, mongoUrl: mongo.url });
  const gateway = await createGateway({ ...gatewayDefaults, namespace, natsUrl: nats.url, ...own });
  const send = sender(gateway.address);
  const first = await bootstrap(config);
  const asOwner = (method: string, path: string, options: Send = {}) =>
    send(method, path, { token: first.owner.token, ...options });
  const person = (name: string) => createPerson(asOwner, name);
  return {
    ...first,
    endpoint: gateway.address,
    config,
    store,
    mailTo: (email) => mailTo(join(folder, 'outbox'), email),
    scavenge: () =>
      Promise.all([
        eventstore.given ? null : eventstore.ours().scavenge(),
        mongo.given ? null : mongo.ours().compact(),
      ]),
    send: asOwner,
    text: async (path) => (await fetch(`${gateway.address}/v1${path}`)).text(),
    person,
    async member(name, role) {
      const someone = await person(name);
      await asOwner('POST', `/orgs/${first.organization}/invites`, { body: { emails: [someone.email], role } });
      return someone;
    },
    async replica() {
      const app = await create(config, process());
      replicas.push(app);
      return app;
    },
    async stop(look) {
      await gateway.stop();
      await store.stop();
      await Promise.all(replicas.map((app) => app.stop()));
      if (mongo.given) await dropDatabases(mongo.url, `${namespace}_`);
      await Promise.all([eventstore.stop(), mongo.stop(), nats.stop()]);
      await look?.(folder);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The texts of the mails to an address. Long lines are in quoted-printable encoding. */
async function mailTo(folder: string, email: string): Promise<string[]> {
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(files.sort().map((file) => readFile(join(folder, file), 'utf8')));
  const decoded = mails.map((mail) => mail.replaceAll('=\r\n', '').replaceAll('=3D', '='));
  return decoded.filter((mail) => mail.includes(`\nTo: ${email}\r\n`));
}

const secretKeys = ['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(',');

export const gatewayDefaults = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: 'https://docs.example',
  namespace: 'scriptorium',
  version: 'test',
  build: 'test',
  corsOrigins: [],
  rates: { ordinary: 0, search: 0, 'content-write': 0, anonymous: 0 },
  streams: { most: 1_000, mostOfToken: 100, heartbeatMs: 15_000, stallMs: 30_000 },
  trustProxy: 0,
  keys: parseKeyring(secretKeys),
  readyServices: [],
  readyFile: undefined,
  maxConnections: 10_000,
  maxBodyBytes: 256 * 1024 * 1024,
  allowedHosts: [],
  compressFromBytes: 1024,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 65_000,
  idleTimeoutMs: 310_000,
  stopTimeoutMs: 5_000,
};

async function bootstrap(config: ServiceConfig): Promise<{ owner: Person; organization: string }> {
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

async function createPerson(send: Rig['send'], name: string): Promise<Person> {
  const email = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.org`;
  const user = await send('POST', '/users', { body: { email, displayName: name, emailVerified: true } });
  if (user.status !== 201) throw new Error(`creating ${name} answered ${user.status} ${JSON.stringify(user.body)}`);
  const id = String(user.body['id']);
  const token = await send('POST', `/users/${id}/tokens`, { body: { label: 'test' } });
  return { id, email, token: String(token.body['token']) };
}

function sender(address: string) {
  return async (method: string, path: string, options: Send): Promise<Answer> => {
    const { token, body } = options;
    const response = await fetch(`${address}/v1${path}`, {
      method,
      headers: {
        ...(token == null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = (text === '' ? undefined : JSON.parse(text)) as Body;
    if (response.ok) checkAgainstContract(method, path, parsed);
    return { status: response.status, headers: response.headers, body: parsed };
  };
}

const routes = operationList.map((op) => ({ op, pattern: new RegExp(`^${op.path.replace(/\{\w+\}/g, '[^/]+')}$`) }));

function checkAgainstContract(method: string, path: string, body: unknown): void {
  const op: Operation | undefined = routes.find(
    ({ op: { method: m }, pattern }) => m === method && pattern.test(path.split('?')[0] ?? ''),
  )?.op;
  if (op === undefined) throw new Error(`No operation for ${method} ${path}`);
  if (op.response === undefined) {
    if (body !== undefined) throw new Error(`${op.id} answered a body`);
    return;
  }
  const checked = op.response.safeParse(body);
  if (!checked.success) throw new Error(`${op.id} answered against its contract: ${checked.error.message}`);
}
