import { createHash, randomUUID } from 'node:crypto';
import {
  AppError,
  formatToken,
  principalChanges,
  type authenticateToken,
  type Principal,
  services,
} from '@scriptorium/contracts';
import type { NatsServer } from '@scriptorium/embedded/nats';
import { natsForTests, type TestServer } from '@scriptorium/embedded/test-servers';
import { connectMessaging, type Messaging, type ServedAnswer, type ServedRequest } from '@scriptorium/messaging';
import { parseKeyring } from '@scriptorium/platform/keyring';
import type * as z from 'zod';
import type { GatewayConfig } from '../config.js';
import { createGateway, type Gateway, type GatewayOptions } from '../create.js';

type Question = z.output<typeof authenticateToken.input>;
type Handler = (request: ServedRequest) => ServedAnswer | Promise<ServedAnswer>;

/** A service whose answers a test sets; it also answers identity's lookups of tokens. */
export interface Stub {
  /** Handlers by operation id; without one, an operation answers `{}`. */
  on: Record<string, Handler>;
  calls: ServedRequest[];
  /** The lookups of tokens. */
  questions: Question[];
  /** Principals by SHA-256 of their token. */
  principals: Map<string, Principal>;
}

export interface Rig {
  address: string;
  gateway: Gateway;
  nats: TestServer<NatsServer>;
  /** The connection of the stub service. */
  messaging: Messaging;
  stub: Stub;
  /** Creates a valid token. */
  issue(
    principal?: Partial<Principal> & { scopes?: Principal['token']['scopes']; expiresAt?: string; kind?: never },
  ): string;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  stop(): Promise<void>;
}

export interface CallOptions {
  token?: string | null;
  /** A value that is sent as JSON, or text or bytes; a function is called when the request is sent. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The body if it is JSON, typed as an error. */
  json: Json;
}

export interface Json {
  error: {
    code: number;
    message: string;
    reason: string;
    requestId: string;
    details: { path: string; message: string }[];
  };
  [name: string]: unknown;
}

export const config: GatewayConfig = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: 'http://docs.test',
  natsUrl: '',
  namespace: 'test',
  keys: parseKeyring(['k1', 'reservation'].map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join()),
  version: '1.2.3',
  build: 'spec',
  corsOrigins: [],
  allowedHosts: [],
  compressFromBytes: 1024,
  rates: { ordinary: 0, search: 0, 'content-write': 0, 'spec-write': 0, pdf: 0, anonymous: 0, files: 0 },
  streams: { most: 1_000, mostOfToken: 100, heartbeatMs: 15_000, stallMs: 30_000 },
  files: { port: 0, origin: 'http://files.test', mostTransfers: 100, timeoutMs: 10_000, idleTimeoutMs: 5_000 },
  endpoints: { port: 0, origin: 'http://run.test', hosts: ['.run.test'], mostRequests: 100 },
  trustProxy: 0,
  maxConnections: 1000,
  maxBodyBytes: 64 * 1024 * 1024,
  headersTimeoutMs: 5_000,
  requestTimeoutMs: 10_000,
  keepAliveTimeoutMs: 65_000,
  idleTimeoutMs: 20_000,
  stopTimeoutMs: 5_000,
  readyServices: [],
  readyFile: undefined,
};

export async function startRig(
  options: GatewayOptions & { config?: Partial<GatewayConfig>; services?: string[] } = {},
): Promise<Rig> {
  const nats = await natsForTests();
  const natsUrl = nats.url;
  const namespace = `t${randomUUID().slice(0, 8)}`;
  const messaging = await connectMessaging({ url: natsUrl, name: 'stub', namespace });
  const stub = createStub();
  for (const service of options.services ?? services.map(({ name }) => name))
    await messaging.serve(service, { handle: (request) => answer(stub, request) });
  const gateway = await createGateway({ ...config, natsUrl, namespace, ...options.config }, options).catch(
    async (error: unknown) => {
      await messaging.close();
      await nats.stop();
      throw error;
    },
  );
  const common = issue(stub, {});
  const rig: Rig = {
    address: gateway.address,
    gateway,
    nats,
    messaging,
    stub,
    issue: (principal = {}) => issue(stub, principal),
    call: (method, path, call = {}) => send(gateway.address, method, path, { token: common, ...call }),
    async stop() {
      await gateway.stop();
      await messaging.close();
      await rig.nats.stop();
    },
  };
  return rig;
}

function createStub(): Stub {
  return { on: {}, calls: [], questions: [], principals: new Map() };
}

async function answer(stub: Stub, request: ServedRequest): Promise<ServedAnswer> {
  const handler = stub.on[request.operation];
  if (handler !== undefined) return handler(request);
  if (request.operation === 'authenticateToken') {
    const question = JSON.parse(textOf(request.body)) as Question;
    stub.questions.push(question);
    return jsonAnswer({ principal: stub.principals.get(question.hash) ?? null });
  }
  if (request.operation === 'ping') return jsonAnswer({});
  stub.calls.push(request);
  return jsonAnswer({});
}

let issued = 0;

function issue(stub: Stub, given: Parameters<Rig['issue']>[0] = {}): string {
  issued += 1;
  const id = `tok${String(issued).padStart(5, '0')}`;
  const token = formatToken(id, 's'.repeat(40));
  const { scopes, expiresAt, ...principal } = given;
  stub.principals.set(sha256(token), {
    kind: 'user',
    id: `user${issued}`,
    operator: false,
    ...principal,
    token: {
      id,
      kind: 'personal',
      ...(scopes === undefined ? {} : { scopes }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
  });
  return token;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
export const jsonAnswer = (value: unknown, headers: Record<string, string> = {}): ServedAnswer => ({
  body: Buffer.from(JSON.stringify(value)),
  headers,
});
export const refuse =
  (...args: ConstructorParameters<typeof AppError>) =>
  (): never => {
    throw new AppError(...args);
  };

export async function send(address: string, method: string, path: string, call: CallOptions): Promise<Reply> {
  const headers: Record<string, string> = { ...call.headers };
  if (typeof call.token === 'string') headers['authorization'] ??= `Bearer ${call.token}`;
  const body = typeof call.body === 'function' ? (call.body as () => unknown)() : call.body;
  const raw = typeof body === 'string' || body instanceof Uint8Array;
  if (body !== undefined) headers['content-type'] ??= 'application/json';
  const response = await fetch(address + path, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(50_000),
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: tryJson(text) as Json };
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Waits until something holds; fails after 15 s. */
export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 15_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`Never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Sends announcements as identity and sites do, with heartbeats, until stopped. */
export function announcer(messaging: Messaging, epoch: string, subject = principalChanges) {
  let sequence = 0;
  const tell = (users: string[]): void => {
    sequence += 1;
    messaging.publish(subject, Buffer.from(JSON.stringify({ epoch, sequence, users })));
  };
  tell([]);
  const timer = setInterval(() => tell([]), 100);
  return { tell, skip: () => (sequence += 1), stop: () => clearInterval(timer) };
}
