import { connect, errors, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { unavailable } from './wire-errors.js';

const RETRY_MS = 250;
const DIAL_TIMEOUT_MS = 5000;
const PING_INTERVAL_MS = 10_000;

/**
 * Connects, trying again until `timeoutMs` have passed; then rejects with `unavailable`, as it does at once when
 * the credentials are refused. Once connected the client reconnects for ever. Credentials in the URL (`nats://user:password@host`, `nats://token@host`)
 * are taken out of it, so that they appear in no message.
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
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
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
    // A server that comes back without its users must not end a process: it is asked again.
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

/** The error says nothing of the address: it may hold a password. */
function parse(address: string): URL {
  const full = address.includes('://') ? address : `nats://${address}`;
  if (!URL.canParse(full)) throw new TypeError('the address of the NATS server is not a URL');
  return new URL(full);
}
