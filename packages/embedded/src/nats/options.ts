import { authenticationOf } from '../authentication.js';
import { isLoopback } from '../loopback.js';
import { type NatsAuthentication } from './auth.js';

/**
 * Settings of the server. Sizes are bytes, times milliseconds; the defaults are those of nats-server,
 * except that connections and totals are bounded.
 */
export interface NatsServerOptions {
  /** Address to listen on; anything but loopback demands that `auth` is given. Default 127.0.0.1. */
  readonly host?: string;
  /** 0 (the default) takes a free port. */
  readonly port?: number;
  /** One line per connection that was closed for a reason. Never holds payloads or credentials. */
  readonly logger?: (line: string) => void;
  /** Who may connect; random credentials, which only `url` carries, unless given. */
  readonly auth?: NatsAuthentication;
  readonly maxPayload?: number;
  /** Longest protocol line, without the payload. */
  readonly maxControlLine?: number;
  /** Bytes that may wait for one client before it is disconnected as a slow consumer. */
  readonly maxPending?: number;
  /** Bytes that may wait for all clients together, before those with more than 1 MiB are disconnected. */
  readonly maxPendingTotal?: number;
  readonly maxConnections?: number;
  /** Subscriptions of one connection. */
  readonly maxSubscriptions?: number;
  readonly pingIntervalMs?: number;
  /** Unanswered pings after which a connection is stale. */
  readonly maxPingsOut?: number;
  /** Time a client has for CONNECT when credentials are demanded. */
  readonly authTimeoutMs?: number;
  /** Time in which a client must take at least one write off the server. */
  readonly writeDeadlineMs?: number;
}

/** The options with every default filled in. */
export interface NatsConfig {
  readonly host: string;
  readonly port: number;
  readonly logger: (line: string) => void;
  readonly auth: NatsAuthentication;
  readonly maxPayload: number;
  readonly maxControlLine: number;
  readonly maxPending: number;
  readonly maxPendingTotal: number;
  readonly maxConnections: number;
  readonly maxSubscriptions: number;
  readonly pingIntervalMs: number;
  readonly maxPingsOut: number;
  readonly authTimeoutMs: number;
  readonly writeDeadlineMs: number;
}

const MIB = 1024 * 1024;
const defaults: Omit<NatsConfig, 'auth'> = {
  host: '127.0.0.1',
  port: 0,
  logger: () => undefined,
  maxPayload: MIB,
  maxControlLine: 4096,
  maxPending: 64 * MIB,
  maxPendingTotal: 256 * MIB,
  maxConnections: 1024,
  maxSubscriptions: 100_000,
  pingIntervalMs: 120_000,
  maxPingsOut: 2,
  authTimeoutMs: 2000,
  writeDeadlineMs: 10_000,
};

/** Fills in defaults. Throws when the server would be open to the network without credentials. */
export function resolveOptions(options: NatsServerOptions): NatsConfig {
  const { auth } = options;
  const config = { ...defaults, ...options };
  if (!isLoopback(config.host) && (auth === undefined || auth === 'none')) {
    throw new Error(`refusing to listen on ${config.host} without credentials: set auth or use a loopback address`);
  }
  return { ...config, auth: typeof auth === 'object' && 'token' in auth ? auth : authenticationOf(auth) };
}
