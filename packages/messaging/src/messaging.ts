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

export interface MessagingOptions {
  /** `nats://host:port`, several separated by commas; may hold credentials. */
  readonly url: string;
  /** Name of this process at the server. */
  readonly name: string;
  /** First token of every subject. */
  readonly namespace: string;
  readonly logger?: MessagingLogger;
  /** How long to wait for a server that does not answer yet. Default 30 s. */
  readonly connectTimeoutMs?: number;
}

export interface MessagingStatus {
  readonly connected: boolean;
  /** `host:port` of the current or last server. */
  readonly server: string;
  /** Connections after the first. */
  readonly reconnects: number;
  /** Bytes of bodies that travel in parts at the moment. */
  readonly transferBytes: number;
}

/** A process's connection to all others. */
export interface Messaging {
  readonly connected: boolean;
  status(): MessagingStatus;
  /** Calls the listener after each reconnection; answers the function that ends this. */
  onReconnect(listener: () => void): () => void;
  /** Calls the listener after each loss of the connection; answers the function that ends this. */
  onDisconnect(listener: () => void): () => void;
  client(): MessagingClient;
  serve(service: string, implementation: Service): Promise<Serving>;
  publish(subject: string, body: Uint8Array): boolean;
  subscribe(subject: string, handler: BroadcastHandler, options?: BroadcastOptions): Promise<BroadcastSubscription>;
  /** Drains what is served, then ends the connection; requests still waiting end with `unavailable`. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 30_000;

/**
 * Connects to NATS. Rejects with `unavailable` when no server answers within `connectTimeoutMs`; afterwards a
 * lost connection is restored for ever, and all subscriptions with it.
 */
export async function connectMessaging(options: MessagingOptions): Promise<Messaging> {
  const { url, name, namespace, logger = silentLogger } = options;
  if (!/^[A-Za-z0-9_-]+$/.test(namespace)) throw new TypeError(`not a subject token: ${namespace}`);
  const nc = await dial(url, name, options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS);
  const state = watch(nc, logger);
  const link: Link = {
    nc,
    namespace,
    logger,
    inbox: createInbox(nc),
    budget: createBudget(MAX_TRANSFER_BYTES),
    isConnected: () => state.connected,
    onDisconnect: (listener) => void state.lost.add(listener),
  };
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
      tell(state, state.lost);
      await nc.close();
    },
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

/** Follows the client's own account of its connection. */
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
  tell(state, state.lost);
}

function restore(state: State, server: string): void {
  state.connected = true;
  state.reconnects += 1;
  state.server = server;
  state.logger.info({ server }, 'connection to NATS restored');
  tell(state, state.restored);
}

function tell(state: State, listeners: Set<() => void>): void {
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
  return { connected, server, reconnects, transferBytes: link.budget.used };
}
