import { setTimeout as delay } from 'node:timers/promises';
import {
  connect,
  createInbox,
  errors,
  type Msg,
  type NatsConnection,
  type NodeConnectionOptions,
  type PublishOptions,
} from '@nats-io/transport-node';
import { type AppError } from '@scriptorium/contracts';
import { createTurn, type Turn } from './batch.js';
import { MOST_ENTRIES } from './limits.js';
import { encodeError, encodeHeaders, tooLarge, unavailable, wholeBodyBytes, wire } from './wire.js';

/** The methods of a structured logger that this package calls, with pino's order of arguments. */
export interface MessagingLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The connection, and what all parts of this package share with it. */
export interface Connection {
  readonly nc: NatsConnection;
  readonly namespace: string;
  readonly logger: MessagingLogger;
  readonly inbox: Inbox;
  /** Requests and answers are sent at its end. */
  readonly turn: Turn;
  /** Called each time the connection is lost, and each time it is restored. */
  readonly lost: Set<() => void>;
  readonly restored: Set<() => void>;
  connected: boolean;
  /** `host:port` of the present or last server. */
  server: string;
  /** Number of connections after the first one. */
  reconnects: number;
  /** Bytes of the bodies that are being transferred in parts. */
  transferBytes: number;
}

/**
 * The private subjects of a connection, behind a single subscription. They receive answers to requests, and the parts
 * and credit of transfers. Messages for a token that is not open, or no longer open, are ignored.
 */
interface Inbox {
  /** Opens a private subject for one exchange. */
  open(handle: (message: Msg) => void): string;
  close(subject: string): void;
}

const RETRY_MS = 250;
const DIAL_TIMEOUT_MS = 5000;
const PING_INTERVAL_MS = 10_000;
const FLUSH_TIMEOUT_MS = 5000;

/** Takes a connection to NATS into use: subscribes its inbox, and logs and counts the client's reports about it. */
export function createConnection(nc: NatsConnection, namespace: string, logger: MessagingLogger): Connection {
  const connection: Connection = {
    nc,
    namespace,
    logger,
    inbox: openInbox(nc),
    turn: createTurn(),
    lost: new Set(),
    restored: new Set(),
    connected: true,
    server: nc.getServer(),
    reconnects: 0,
    transferBytes: 0,
  };
  void watch(connection);
  return connection;
}

async function watch(connection: Connection): Promise<void> {
  const { nc, logger } = connection;
  for await (const status of nc.status()) {
    if ((status.type === 'disconnect' || status.type === 'close') && connection.connected) {
      logger.warn({ server: connection.server }, 'connection to NATS ended');
      lose(connection);
    } else if (status.type === 'reconnect') {
      const server = nc.getServer();
      connection.connected = true;
      connection.reconnects += 1;
      connection.server = server;
      logger.info({ server }, 'connection to NATS restored');
      notify(connection, connection.restored);
    } else if (status.type === 'error') {
      logger.warn({ server: connection.server, err: status.error }, 'NATS reported an error');
    }
  }
}

function lose(connection: Connection): void {
  connection.connected = false;
  notify(connection, connection.lost);
}

function notify({ logger }: Connection, listeners: ReadonlySet<() => void>): void {
  for (const listener of [...listeners]) {
    try {
      listener();
    } catch (err) {
      logger.error({ err }, 'a listener on the connection failed');
    }
  }
}

/** Subscribes the inbox of a connection. Its name is random, and its tokens are counted up. */
function openInbox(nc: NatsConnection): Inbox {
  const base = `${createInbox()}.`;
  const handlers = new Map<string, (message: Msg) => void>();
  let next = 0;
  nc.subscribe(`${base}*`, {
    callback: (error, message) => {
      if (error === null) handlers.get(message.subject)?.(message);
    },
  });
  return {
    open(handle) {
      next += 1;
      const subject = base + next.toString(36);
      handlers.set(subject, handle);
      return subject;
    },
    close: (subject) => void handlers.delete(subject),
  };
}

/** The largest body that fits into one message of this connection. */
export function mostInMessage({ nc }: Connection): number {
  return wholeBodyBytes(maxPayload(nc));
}

/** Whether a body is small enough to share a message with others: a large one gains nothing by it. */
export function mayShare(connection: Connection, body: Uint8Array): boolean {
  return body.length <= mostInMessage(connection) / MOST_ENTRIES;
}

/** The server's limit for one message, including headers. */
function maxPayload(nc: NatsConnection): number {
  return nc.info?.max_payload ?? 1024 * 1024;
}

/**
 * Publishes one message.
 * @throws AppError `too_large` beyond the server's limit, `unavailable` without a connection
 */
export function send({ nc }: Connection, subject: string, body: Uint8Array, options?: PublishOptions): void {
  try {
    nc.publish(subject, body, options);
  } catch (error) {
    if (error instanceof errors.InvalidArgumentError && error.message.includes('max_payload')) {
      throw tooLarge(body.length, maxPayload(nc));
    }
    throw unavailable('The message could not be sent, try again', error);
  }
}

/** Sends an error to somebody who waits, such as the sender of a body that nobody receives. */
export function sendError(connection: Connection, subject: string, error: AppError): void {
  if (subject === '' || !connection.connected) return;
  try {
    const headers = encodeHeaders({}, { [wire.error]: error.reason });
    send(connection, subject, encodeError(error), { headers });
  } catch (cause) {
    // Who waits finds out by its own timeout.
    connection.logger.warn({ err: cause }, 'an error could not be sent');
  }
}

/**
 * Waits until the server has received what was sent. Without a connection it returns at once: the client repeats its
 * subscriptions when the connection is restored.
 */
export async function flush({ nc, turn, connected, logger }: Connection): Promise<void> {
  turn.end();
  if (!connected) return;
  const flushed = nc.flush().catch((err: unknown) => logger.warn({ err }, 'the connection ended in a flush'));
  await Promise.race([flushed, delay(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
}

/** Sends what waits, tells the listeners that the connection is lost, and closes it. */
export async function closeConnection(connection: Connection): Promise<void> {
  await flush(connection);
  lose(connection);
  await connection.nc.close();
}

/**
 * Connects to NATS. It tries again until `timeoutMs` have passed and then rejects with `unavailable`. Wrong credentials
 * are rejected immediately. Once connected, the client reconnects for as long as it takes.
 * Credentials in the URL (`nats://user:password@host`, `nats://token@host`) are removed from it, so that no message
 * contains them.
 */
export async function dial(url: string, name: string, timeoutMs: number): Promise<NatsConnection> {
  const options = connectionOptions(url, name);
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await connect(options);
    } catch (error) {
      if (error instanceof errors.AuthorizationError) {
        throw unavailable(`The NATS server at ${String(options.servers)} refuses the credentials`, error);
      }
      if (performance.now() + RETRY_MS >= end) {
        throw unavailable(`No NATS server answers at ${String(options.servers)}`, error);
      }
      await delay(RETRY_MS);
    }
  }
}

function connectionOptions(url: string, name: string): NodeConnectionOptions {
  return {
    ...serverAndCredentials(url),
    name,
    timeout: DIAL_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RETRY_MS,
    reconnectJitter: 100,
    // A server that restarts without its users must not end the process, so the client tries again.
    ignoreAuthErrorAbort: true,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
    noAsyncTraces: true,
  };
}

function serverAndCredentials(url: string): NodeConnectionOptions {
  const servers = url.split(',').map((part) => parse(part.trim()));
  const [{ username, password } = { username: '', password: '' }] = servers;
  const hosts = { servers: servers.map(({ protocol, host }) => (protocol === 'tls:' ? `tls://${host}` : host)) };
  if (username === '') return hosts;
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  return password === '' ? { ...hosts, token: user } : { ...hosts, user, pass };
}

/** Parses an address. The error does not contain the address, which may include a password. */
function parse(address: string): URL {
  const full = address.includes('://') ? address : `nats://${address}`;
  if (!URL.canParse(full)) throw new TypeError('the address of the NATS server is not a URL');
  return new URL(full);
}
