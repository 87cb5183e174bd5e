import { createClient, type MessagingClient } from './client.js';
import {
  closeConnection,
  createConnection,
  dial,
  flush,
  type Connection,
  type MessagingLogger,
  send,
} from './connection.js';
import { type Service } from './job.js';
import { serve, type Serving } from './serve.js';
import { isLiteral } from './wire.js';

export interface MessagingOptions {
  /** `nats://host:port`, or several separated by commas. Can contain credentials. */
  readonly url: string;
  /** The name of this process at the server. */
  readonly name: string;
  /** The first token of every subject. */
  readonly namespace: string;
  /** Default: nothing is logged. */
  readonly logger?: MessagingLogger;
  /** How long to wait for a server that does not answer. Default: 30 s. */
  readonly connectTimeoutMs?: number;
}

export interface MessagingStatus {
  readonly connected: boolean;
  /** `host:port` of the present or last server. */
  readonly server: string;
  /** Version of the server; absent where it does not tell. */
  readonly version: string | undefined;
  /** Number of connections after the first one. */
  readonly reconnects: number;
  /** Bytes of the bodies that are being transferred in parts. */
  readonly transferBytes: number;
}

/** The connection of a process to all others. */
export interface Messaging {
  readonly connected: boolean;
  status(): MessagingStatus;
  /** Calls the listener after each reconnection. Returns a function that removes it. */
  onReconnect(listener: () => void): () => void;
  client(): MessagingClient;
  serve(service: string, implementation: Service): Promise<Serving>;
  /**
   * Publishes on `<namespace>.<subject>`. Having no subscriber is no error. Returns false without a connection: a
   * broadcast is never kept for later.
   * @throws AppError `too_large` beyond the server's `max_payload`
   */
  publish(subject: string, body: Uint8Array): boolean;
  /**
   * Subscribes to `<namespace>.<subject>`, which may contain wildcards. The handler gets subjects without the
   * namespace. Errors of the handler are logged and do not end the subscription. Resolves when the server has it.
   */
  subscribe(subject: string, handler: BroadcastHandler): Promise<BroadcastSubscription>;
  /** Drains all services, then closes the connection. Requests that still wait end with `unavailable`. */
  close(): Promise<void>;
}

/** Handles a message. The next call does not wait for the end of the one before. */
export type BroadcastHandler = (body: Uint8Array, subject: string) => void | Promise<void>;

export interface BroadcastSubscription {
  /** After this resolves, no further call of the handler begins. */
  unsubscribe(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 30_000;
const silent = () => undefined;
const silentLogger: MessagingLogger = { info: silent, warn: silent, error: silent };

/**
 * Connects to NATS. Rejects with `unavailable` when no server answers within `connectTimeoutMs`. After that, a lost
 * connection and its subscriptions are always restored.
 */
export async function connectMessaging(options: MessagingOptions): Promise<Messaging> {
  const { url, name, namespace, logger = silentLogger, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  if (!/^[A-Za-z0-9_-]+$/.test(namespace)) throw new TypeError(`not a subject token: ${namespace}`);
  const connection = createConnection(await dial(url, name, connectTimeoutMs), namespace, logger);
  const client = createClient(connection);
  const serving: Serving[] = [];
  return {
    get connected() {
      return connection.connected;
    },
    status() {
      const { connected, server, nc, reconnects, transferBytes } = connection;
      return { connected, server, version: nc.info?.version, reconnects, transferBytes };
    },
    onReconnect(listener) {
      connection.restored.add(listener);
      return () => void connection.restored.delete(listener);
    },
    client: () => client,
    async serve(service, implementation) {
      const replica = await serve(connection, service, implementation);
      serving.push(replica);
      return replica;
    },
    publish: (subject, body) => publish(connection, subject, body),
    subscribe: (subject, handler) => subscribe(connection, subject, handler),
    async close() {
      await Promise.allSettled(serving.map((replica) => replica.drain()));
      await closeConnection(connection);
    },
  };
}

function publish(connection: Connection, subject: string, body: Uint8Array): boolean {
  if (!isLiteral(subject)) throw new TypeError(`not a subject: ${subject}`);
  if (!connection.connected) return false;
  send(connection, `${connection.namespace}.${subject}`, body);
  return true;
}

async function subscribe(
  connection: Connection,
  subject: string,
  handler: BroadcastHandler,
): Promise<BroadcastSubscription> {
  const { nc, logger } = connection;
  const prefix = `${connection.namespace}.`;
  const report = (err: unknown) => logger.error({ subject, err }, 'a broadcast handler failed');
  const subscription = nc.subscribe(prefix + subject, {
    callback: (error, message) => {
      if (error !== null) return report(error);
      try {
        handler(message.data, message.subject.slice(prefix.length))?.catch(report);
      } catch (thrown) {
        report(thrown);
      }
    },
  });
  await flush(connection);
  return {
    async unsubscribe() {
      if (!nc.isClosed() && !subscription.isClosed()) await subscription.drain();
    },
  };
}
