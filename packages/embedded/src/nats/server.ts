import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { userInfo } from '../authentication.js';
import { type Broker, closeConnection, createBroker } from './broker.js';
import { createConnection, send } from './connection.js';
import { type Connection } from './model.js';
import { type NatsConfig, type NatsServerOptions, resolveOptions } from './options.js';
import { flush, putText } from './outbound.js';
import { feed } from './parser.js';
import { failures, SERVER_VERSION } from './protocol.js';
import { createSession } from './session.js';
import { watch } from './watch.js';

/** A running server. */
export interface NatsServer {
  /** `nats://user:password@host:port`, or `nats://token@host:port`: never to be logged. */
  readonly url: string;
  readonly port: number;
  /** Writes out what is queued, closes every connection and the port. */
  stop(): Promise<void>;
}

const CLIENT_LEFT = 'client left';
const THROTTLE_MS = 20;
const STOP_GRACE_MS = 1000;

/**
 * Starts a NATS core server (no JetStream, no clustering; see SUPPORTED.md).
 * Rejects when the port is taken or when it would listen beyond loopback without credentials.
 */
export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const config = resolveOptions(options);
  const broker = createBroker(config, (connection, reason) => {
    if (reason !== CLIENT_LEFT) config.logger(`connection ${connection.id} closed: ${reason}`);
    finish(connection.socket);
  });
  const identity = { server_id: randomBytes(16).toString('hex').toUpperCase() };
  let nextId = 1;
  const listener = createServer({ noDelay: true }, (socket) => {
    accept(broker, socket, { ...identity, client_id: nextId });
    nextId += 1;
  });
  await listen(listener, config);
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.port;
  const stopWatching = watch(broker);
  return {
    url: `nats://${credentialsOf(config)}${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    port,
    async stop() {
      stopWatching();
      for (const connection of [...broker.connections]) {
        flush(connection.outbound, true);
        closeConnection(broker, connection, 'server is stopping');
      }
      if (listener.listening) await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };
}

function credentialsOf({ auth }: NatsConfig): string {
  return typeof auth === 'object' && 'token' in auth ? `${encodeURIComponent(auth.token)}@` : userInfo(auth);
}

async function listen(listener: Server, config: NatsConfig): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen({ host: config.host, port: config.port, backlog: 1024 }, () => {
      listener.off('error', reject);
      // An error on accepting (no file descriptors) concerns one client, not the server.
      listener.on('error', (error) => config.logger(`listener: ${error.message}`));
      resolve();
    });
  });
}

function accept(broker: Broker, socket: Socket, names: Names): void {
  const { config } = broker;
  const connection = createConnection(broker, names.client_id, socket);
  const fail = (message: string | undefined, reason: string) => {
    if (connection.closed) return;
    if (message !== undefined) putText(connection.outbound, `-ERR '${message}'\r\n`);
    flush(connection.outbound, true);
    closeConnection(broker, connection, message ?? reason);
  };
  socket.on('error', (error) => closeConnection(broker, connection, error.message));
  socket.on('close', () => closeConnection(broker, connection, CLIENT_LEFT));
  if (broker.connections.size >= config.maxConnections) return fail(failures.maxConnections, 'too many connections');
  broker.connections.add(connection);
  const session = createSession(broker, connection, fail);
  const timer = connection.authorized
    ? undefined
    : setTimeout(() => !connection.authorized && fail(failures.authTimeout, 'no CONNECT'), config.authTimeoutMs);
  socket.once('close', () => clearTimeout(timer));
  socket.on('data', (chunk: Buffer) => {
    if (connection.closed) return;
    connection.lastHeard = performance.now();
    feed(session, chunk);
    if (connection.throttled) throttle(connection);
  });
  send(broker, connection, infoLine(config, socket, names));
}

/** A publisher that is faster than a subscriber is read from more slowly, before the subscriber is lost. */
function throttle(connection: Connection): void {
  connection.throttled = false;
  connection.socket.pause();
  setTimeout(() => connection.socket.resume(), THROTTLE_MS);
}

/** Ends the socket after what is queued; a peer that takes nothing any more is cut off. */
function finish(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), STOP_GRACE_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.resume();
  if (socket.destroyed) clearTimeout(timer);
  else socket.destroySoon();
}

/** What `INFO` calls the server and a client. */
interface Names {
  readonly server_id: string;
  readonly client_id: number;
}

function infoLine(config: NatsConfig, socket: Socket, { server_id, client_id }: Names): string {
  const info = {
    server_id,
    server_name: server_id,
    version: SERVER_VERSION,
    proto: 1,
    host: config.host,
    port: socket.localPort ?? 0,
    headers: true,
    max_payload: config.maxPayload,
    client_id,
    client_ip: addressOf(socket),
    ...(config.auth === 'none' ? {} : { auth_required: true }),
  };
  return `INFO ${JSON.stringify(info)} \r\n`;
}

/** Where a client is; an IPv4 address that came by way of IPv6 is told as what it is. */
function addressOf({ remoteAddress = '' }: Socket): string {
  return remoteAddress.replace(/^::ffff:(?=\d+\.)/, '');
}
