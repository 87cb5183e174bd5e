import { type Admits, admitting } from './auth.js';
import { type Connection, type Subscription } from './model.js';
import { type NatsConfig } from './options.js';
import { flush, forget, pendingBytes, type PendingTotal } from './outbound.js';
import { createSubscriptionIndex, type SubscriptionIndex } from './subscriptions.js';

/** Connections and subscriptions of one server. */
export interface Broker {
  readonly config: NatsConfig;
  readonly admits: Admits;
  readonly connections: Set<Connection>;
  readonly index: SubscriptionIndex<Subscription>;
  /** Called once for each connection that ends. */
  readonly onClosed: (connection: Connection, reason: string) => void;
  readonly pending: PendingTotal;
  /** Connections with bytes to write at the end of this turn of the event loop. */
  dirty: Connection[];
}

/** A broker without connections. */
export function createBroker(config: NatsConfig, onClosed: Broker['onClosed']): Broker {
  return {
    config,
    admits: admitting(config.auth),
    connections: new Set(),
    index: createSubscriptionIndex(),
    onClosed,
    pending: { bytes: 0 },
    dirty: [],
  };
}

/** Adds a subscription to its connection and to the index. */
export function addSubscription(broker: Broker, subscription: Subscription): void {
  subscription.connection.subscriptions.set(subscription.sid, subscription);
  broker.index.add(subscription);
}

/** Takes a subscription out of its connection and out of the index. */
export function removeSubscription(broker: Broker, subscription: Subscription): void {
  subscription.connection.subscriptions.delete(subscription.sid);
  broker.index.remove(subscription);
}

/** Notes that bytes wait for the connection; too many, and it is closed as a slow consumer. */
export function queued(broker: Broker, connection: Connection): void {
  const bytes = pendingBytes(connection.outbound);
  const { maxPending, maxPendingTotal } = broker.config;
  if (bytes > maxPending || (broker.pending.bytes > maxPendingTotal && bytes > SMALL)) {
    return closeConnection(broker, connection, 'slow consumer');
  }
  if (connection.dirty) return;
  connection.dirty = true;
  // Immediates run after all sockets of this turn were read: one write for each client and turn.
  if (broker.dirty.push(connection) === 1) setImmediate(() => flushDirty(broker));
}

/** What a client may have waiting even when all clients together have too much. */
const SMALL = 1024 * 1024;

/** Ends a connection: its subscriptions are gone at once, its socket by `onClosed`. */
export function closeConnection(broker: Broker, connection: Connection, reason: string): void {
  if (connection.closed) return;
  connection.closed = true;
  broker.connections.delete(connection);
  for (const subscription of connection.subscriptions.values()) broker.index.remove(subscription);
  connection.subscriptions.clear();
  forget(connection.outbound);
  broker.onClosed(connection, reason);
}

function flushDirty(broker: Broker): void {
  const batch = broker.dirty;
  broker.dirty = [];
  for (const connection of batch) {
    connection.dirty = false;
    flush(connection.outbound);
  }
}
