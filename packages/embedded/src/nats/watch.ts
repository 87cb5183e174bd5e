import { type Broker, closeConnection } from './broker.js';
import { send, sendError } from './connection.js';
import { type Connection } from './model.js';
import { flush } from './outbound.js';
import { failures } from './protocol.js';

const MAX_TICK_MS = 1000;

/**
 * Looks after silent clients: pings those not heard from, drops those that do not answer (stale) or do
 * not take their bytes (slow). Answers a function that ends the watch.
 */
export function watch(broker: Broker): () => void {
  const { pingIntervalMs, writeDeadlineMs } = broker.config;
  const tick = Math.max(1, Math.min(pingIntervalMs, writeDeadlineMs, MAX_TICK_MS));
  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of [...broker.connections]) look(broker, connection, now);
  }, tick);
  return () => clearInterval(timer);
}

function look(broker: Broker, connection: Connection, now: number): void {
  const { pingIntervalMs, maxPingsOut, writeDeadlineMs } = broker.config;
  const since = connection.outbound.writingSince;
  if (since !== undefined && now - since > writeDeadlineMs) return closeConnection(broker, connection, 'slow consumer');
  if (now - connection.lastPing < pingIntervalMs) return;
  connection.lastPing = now;
  // Whoever talks is alive, but only a PONG takes back an unanswered ping.
  if (connection.pingsOut === 0 && now - connection.lastHeard < pingIntervalMs) return;
  if (connection.pingsOut >= maxPingsOut) {
    sendError(broker, connection, failures.stale);
    flush(connection.outbound, true);
    return closeConnection(broker, connection, 'stale connection');
  }
  connection.pingsOut += 1;
  send(broker, connection, 'PING\r\n');
}
