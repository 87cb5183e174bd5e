import { readFileSync } from 'node:fs';
import { parseConfig, processSettings } from '@scriptorium/platform/config';
import * as z from 'zod';
import type { RateLimits } from './rates/rates.js';
import type { StreamLimits } from './streams/seats.js';

const hostForm = /^(\*|\.?[a-z\d_](?:[\w.-]*\w)?)$/i;

/** An entry with a port or a scheme would never match, and nobody would hear of it. */
function refuseNoHosts(text: string, context: z.RefinementCtx): void {
  for (const entry of listed(text).filter((one) => !hostForm.test(one))) {
    context.addIssue({ code: 'custom', message: `“${entry}” is no host name: without scheme, port and path, or * alone` });
  }
}

const count = z.coerce.number().int();

const { SECRET_KEYS: _keptByServices, ...shared } = processSettings;

/** Settings of the gateway, by the names of their environment variables. */
export const gatewaySettings = {
  ...shared,
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  PORT: count.min(0).max(65_535).default(8080).describe('Port to listen on; 0 takes a free one.'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional().describe('Address under which clients reach the gateway.'),
  BUILD: z.string().max(128).default('development').describe('Identifier of the build that GET /v1/ shows.'),
  CORS_ORIGINS: z.string().default('').describe('Origins of browser pages that may call, by comma; * for all; empty for none. What browsers of an address ask before they call counts by itself, up to RATE_LIMIT.'),
  RATE_LIMIT: count.min(0).max(1_000_000_000).default(1000).describe('Requests a minute and token; 0 limits no rate at all.'),
  RATE_LIMIT_ANONYMOUS: count.min(0).default(60).describe('Requests a minute and address without a good token or session, whatever they are for; 0 for no limit.'),
  RATE_LIMIT_SEARCH: count.min(0).default(30).describe('Searches a minute and token; 0 for no limit.'),
  RATE_LIMIT_CONTENT_WRITE: count.min(0).default(20).describe('Changes of content a minute and token; 0 for no limit.'),
  MAX_STREAMS: count.min(0).max(100_000).default(1_000).describe('Streams (`text/event-stream`) at a time.'),
  MAX_STREAMS_PER_TOKEN: count.min(0).max(100_000).default(100).describe('Streams at a time of one token.'),
  STREAM_HEARTBEAT_MS: count.min(100).default(15_000).describe('Time after which a silent stream shows that it lives.'),
  STREAM_STALL_MS: count.min(100).default(30_000).describe('Time that the reader of a stream may take for what was sent.'),
  ALLOWED_HOSTS: z.string().superRefine(refuseNoHosts).default('').describe('Names beside those of PUBLIC_URL and loopback under which requests may come, by comma; `.example.com` for its subdomains, * for all.'),
  COMPRESS_FROM_BYTES: count.min(0).default(1024).describe('Size from which answers are compressed for callers that take it; 0 for never.'),
  TRUST_PROXY: z.stringbool().default(false).describe('Whether a proxy in front says in X-Forwarded-For whose address a request comes from.'),
  MAX_CONNECTIONS: count.min(1).max(1_000_000).default(10_000).describe('Connections at a time.'),
  MAX_BODY_BYTES: count.min(1024 * 1024).default(256 * 1024 * 1024).describe('Bytes of request bodies held at a time.'),
  HEADERS_TIMEOUT_MS: count.min(100).default(10_000).describe('Time for the headers of a request to arrive.'),
  REQUEST_TIMEOUT_MS: count.min(100).default(60_000).describe('Time for a whole request to arrive.'),
  KEEP_ALIVE_TIMEOUT_MS: count.min(100).default(65_000).describe('Time an unused connection is kept.'),
  IDLE_TIMEOUT_MS: count.min(100).default(310_000).describe('Time a connection may move no byte.'),
  STOP_TIMEOUT_MS: count.min(0).default(4_000).describe('Time for requests in progress when stopping.'),
} as const;

/** What `createGateway` needs to know. Times in milliseconds. */
export interface GatewayConfig {
  host: string;
  port: number;
  /** Address under which clients reach the gateway, without a slash at its end. */
  publicUrl: string;
  natsUrl: string;
  namespace: string;
  version: string;
  build: string;
  /** Origins that browsers may call from; `[]` = none, `['*']` = all. */
  corsOrigins: readonly string[];
  /** Names under which requests may come, beside the host of `publicUrl`, loopback and addresses. */
  allowedHosts: readonly string[];
  /** Bytes from which answers are compressed; 0 = never. */
  compressFromBytes: number;
  rates: RateLimits;
  streams: StreamLimits;
  /** Addresses of callers are those that `X-Forwarded-For` says. */
  trustProxy: boolean;
  maxConnections: number;
  maxBodyBytes: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  idleTimeoutMs: number;
  stopTimeoutMs: number;
}

export type GatewaySettings = z.output<z.ZodObject<typeof gatewaySettings>>;

/** Reads the settings from an environment; throws `ConfigError`, one line that names the first bad variable. */
export function readConfig(environment: Record<string, string | undefined>): GatewayConfig {
  return gatewayConfig(parseConfig(gatewaySettings, environment));
}

/** The configuration that settings mean. */
export function gatewayConfig(env: GatewaySettings): GatewayConfig {
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`).replace(/\/+$/, ''),
    natsUrl: env.NATS_URL,
    namespace: env.NAMESPACE,
    version: productVersion(),
    build: env.BUILD,
    corsOrigins: listed(env.CORS_ORIGINS),
    allowedHosts: listed(env.ALLOWED_HOSTS),
    compressFromBytes: env.COMPRESS_FROM_BYTES,
    rates: ratesOf(env),
    streams: { most: env.MAX_STREAMS, mostOfToken: env.MAX_STREAMS_PER_TOKEN, heartbeatMs: env.STREAM_HEARTBEAT_MS, stallMs: env.STREAM_STALL_MS },
    trustProxy: env.TRUST_PROXY,
    maxConnections: env.MAX_CONNECTIONS,
    maxBodyBytes: env.MAX_BODY_BYTES,
    headersTimeoutMs: env.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs: env.KEEP_ALIVE_TIMEOUT_MS,
    idleTimeoutMs: env.IDLE_TIMEOUT_MS,
    stopTimeoutMs: env.STOP_TIMEOUT_MS,
  };
}

function listed(text: string): string[] {
  return text.split(',').map((each) => each.trim()).filter((each) => each !== '');
}

function ratesOf(env: GatewaySettings): RateLimits {
  if (env.RATE_LIMIT === 0) return { ordinary: 0, search: 0, 'content-write': 0, anonymous: 0 };
  return { ordinary: env.RATE_LIMIT, search: env.RATE_LIMIT_SEARCH, 'content-write': env.RATE_LIMIT_CONTENT_WRITE, anonymous: env.RATE_LIMIT_ANONYMOUS };
}

function productVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
