import { type NatsConnection } from '@nats-io/transport-node';
import {
  type BroadcastHandler,
  type BroadcastOptions,
  type BroadcastSubscription,
  publish,
  subscribe,
} from './broadcast.js';
import { createBudget } from './budget.js';
import { createClient, type MessagingClient } from './client.js';
import { dial } from './connect.js';
import { createInbox } from './inbox.js';
import { MAX_TRANSFER_BYTES } from './limits.js';
import { flush, type Link } from './link.js';
import { type MessagingLogger, silentLogger } from './logger.js';
import { serve, type Serving } from './serve.js';
import { type Service } from './service.js';
import { createTurn } from './turn.js';

export interface MessagingOptions {
  /** `nats://host:port`, or several separated by commas. Can contain credentials. */
  readonly url: string;
  /** The name of this process at the server. */
  readonly name: string;
  /** The first token of every subject. */
  readonly namespace: string;
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
  /** Calls the listener each time the connection is lost. Returns a function that removes it. */
  onDisconnect(listener: () => void): () => void;
  client(): MessagingClient;
  serve(service: string, implementation: Service): Promise<Serving>;
  publish(subject: string, body: Uint8Array): boolean;
  subscribe(subject: string, handler: BroadcastHandler, options?: BroadcastOptions): Promise<BroadcastSubscription>;
  /** Drains all services, then closes the connection. Requests that still wait end with `unavailable`. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 30_000;

/**
 * Connects to NATS. Rejects with `unavailable` when no server answers within `connectTimeoutMs`. After that, a lost
 * connection and its subscriptions are always restored.
 */
export async function connectMessaging(options: MessagingOptions): Promise<Messaging> {
  const { url, name, namespace, logger = silentLogger } = options;
  if (!/^[A-Za-z0-9_-]+$/.test(namespace)) throw new TypeError(`not a subject token: ${namespace}`);
  const nc = await dial(url, name, options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  const state = watch(nc, logger);
  const link = linkOf(nc, namespace, state);
  const client = createClient(link);
  const serving: Serving[] = [];
  return {
    get connected() {
      return state.connected;
    },
    status: () => statusOf(link, state),
    onReconnect: (listener) => listen(state.restored, listener),
    onDisconnect: (listener) => listen(state.lost, listener),
    client: () => client,
    async serve(service, implementation) {
      const replica = await serve(link, service, implementation);
      serving.push(replica);
      return replica;
    },
    publish: (subject, body) => publish(link, subject, body),
    subscribe: (subject, handler, broadcast) => subscribe(link, subject, handler, broadcast),
    async close() {
      await Promise.allSettled(serving.map((replica) => replica.drain()));
      await flush(link);
      state.connected = false;
      notify(state, state.lost);
      await nc.close();
    },
  };
}

function linkOf(nc: NatsConnection, namespace: string, state: State): Link {
  return {
    nc,
    namespace,
    logger: state.logger,
    inbox: createInbox(nc),
    budget: createBudget(MAX_TRANSFER_BYTES),
    turn: createTurn(),
    isConnected: () => state.connected,
    onDisconnect: (listener) => void state.lost.add(listener),
  };
}

interface State {
  readonly logger: MessagingLogger;
  readonly lost: Set<() => void>;
  readonly restored: Set<() => void>;
  connected: boolean;
  reconnects: number;
  server: string;
}

/** Logs and counts the client's reports about its connection. */
function watch(nc: NatsConnection, logger: MessagingLogger): State {
  const server = nc.getServer();
  const state: State = { logger, lost: new Set(), restored: new Set(), connected: true, reconnects: 0, server };
  void (async () => {
    for await (const status of nc.status()) {
      if (status.type === 'disconnect' || status.type === 'close') lose(state);
      else if (status.type === 'reconnect') restore(state, nc.getServer());
      else if (status.type === 'error') {
        logger.warn({ server: state.server, err: status.error }, 'NATS reported an error');
      }
    }
  })();
  return state;
}

function lose(state: State): void {
  if (!state.connected) return;
  state.connected = false;
  state.logger.warn({ server: state.server }, 'connection to NATS ended');
  notify(state, state.lost);
}

function restore(state: State, server: string): void {
  state.connected = true;
  state.reconnects += 1;
  state.server = server;
  state.logger.info({ server }, 'connection to NATS restored');
  notify(state, state.restored);
}

function notify(state: State, listeners: Set<() => void>): void {
  for (const listener of [...listeners]) {
    try {
      listener();
    } catch (err) {
      state.logger.error({ err }, 'a listener on the connection failed');
    }
  }
}

function listen(listeners: Set<() => void>, listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function statusOf(link: Link, state: State): MessagingStatus {
  const { connected, server, reconnects } = state;
  return { connected, server, version: link.nc.info?.version, reconnects, transferBytes: link.budget.used };
}
