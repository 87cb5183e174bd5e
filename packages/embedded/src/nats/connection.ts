import { type Socket } from 'node:net';
import { type Broker, queued } from './broker.js';
import { type Connection } from './model.js';
import { createOutbound, putText } from './outbound.js';

/** A connection as it is before CONNECT. */
export function createConnection(broker: Broker, id: number, socket: Socket): Connection {
  const now = performance.now();
  return {
    id,
    socket,
    outbound: createOutbound(socket, broker.pending),
    subscriptions: new Map(),
    verbose: true,
    pedantic: true,
    echo: true,
    headers: false,
    noResponders: false,
    authorized: broker.config.auth === 'none',
    closed: false,
    dirty: false,
    pingsOut: 0,
    lastHeard: now,
    lastPing: now,
    throttled: false,
  };
}

/** Queues protocol text for the client; it leaves at the end of this turn of the event loop. */
export function send(broker: Broker, connection: Connection, text: string): void {
  if (connection.closed) return;
  putText(connection.outbound, text);
  queued(broker, connection);
}

/** `-ERR 'message'`, the connection stays. */
export function sendError(broker: Broker, connection: Connection, message: string): void {
  send(broker, connection, `-ERR '${message}'\r\n`);
}

/** `+OK` for clients that asked to hear it. */
export function acknowledge(broker: Broker, connection: Connection): void {
  if (connection.verbose) send(broker, connection, '+OK\r\n');
}
