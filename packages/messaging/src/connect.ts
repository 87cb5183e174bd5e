import { connect, errors, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { unavailable } from './wire-errors.js';

const RETRY_MS = 250;
const DIAL_TIMEOUT_MS = 5000;
const PING_INTERVAL_MS = 10_000;

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
