import { readFileSync } from 'node:fs';
import type { Service } from '@scriptorium/contracts';
import { parseConfig, processSettings } from '@scriptorium/platform/config';
import { parseKeyring, type Keyring } from '@scriptorium/platform/keyring';
import * as z from 'zod';
import { endpointsConfig, endpointsSettings, type EndpointsConfig } from './endpoints-config.js';
import { filesConfig, filesSettings, type FilesConfig } from './files-config.js';
import type { RateLimits } from './rates/rates.js';
import { securityContact, securitySettings, type SecurityContact } from './security-contact.js';
import { parseTrustedProxies, type TrustedProxies } from './server/server-options.js';
import type { StreamLimits } from './streams/stream-registry.js';

const hostForm = /^(\*|\.?[a-z\d_](?:[\w.-]*\w)?)$/i;

/** An entry with a port or a scheme would never match. */
function refuseInvalidHosts(text: string, context: z.RefinementCtx): void {
  for (const entry of listed(text).filter((one) => !hostForm.test(one))) {
    context.addIssue({
      code: 'custom',
      message: `"${entry}" is not a host name (without scheme, port and path) or *`,
    });
  }
}

function refuseInvalidProxies(text: string, context: z.RefinementCtx): void {
  try {
    parseTrustedProxies(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
  }
}

const count = z.coerce.number().int();

/** Settings of the gateway, by the names of their environment variables. */
export const gatewaySettings = {
  ...processSettings,
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  PORT: count.min(0).max(65_535).default(8080).describe('Port to listen on; 0 takes a free one.'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Address under which clients reach the gateway.'),
  APP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address of an application that shows and edits content, as the services have it: addresses of `urls.app` that reach the gateway are redirected there. Unless set, the gateway shows what they are of.',
    ),
  BUILD: z.string().max(128).default('development').describe('Identifier of the build that GET /v1/ shows.'),
  ...securitySettings,
  CORS_ORIGINS: z
    .string()
    .default('')
    .describe(
      'Origins of browser pages that may call, by comma; * for all; empty for none. Preflights of an address are counted apart, up to RATE_LIMIT.',
    ),
  RATE_LIMIT: count
    .min(0)
    .max(1_000_000_000)
    .default(1000)
    .describe('Requests a minute and token; 0 turns all rate limits off.'),
  RATE_LIMIT_ANONYMOUS: count
    .min(0)
    .default(60)
    .describe('Requests a minute and address without a valid token or session; 0 for no limit.'),
  RATE_LIMIT_SEARCH: count.min(0).default(30).describe('Searches a minute and token; 0 for no limit.'),
  RATE_LIMIT_CONTENT_WRITE: count
    .min(0)
    .default(20)
    .describe('Changes of the content of one space a minute and token; 0 for no limit.'),
  RATE_LIMIT_SPEC_WRITE: count
    .min(0)
    .default(12)
    .describe('PUTs of one OpenAPI specification a minute and token; 0 for no limit.'),
  RATE_LIMIT_PDF: count
    .min(0)
    .default(10)
    .describe('Addresses of PDFs a minute and token, or address of a visitor; 0 for no limit.'),
  RATE_LIMIT_FILES: count
    .min(0)
    .default(600)
    .describe('Requests a minute and address for bytes of files; 0 for no limit.'),
  ...filesSettings,
  ...endpointsSettings,
  MAX_STREAMS: count.min(0).max(100_000).default(1_000).describe('Streams (`text/event-stream`) at a time.'),
  MAX_STREAMS_PER_TOKEN: count.min(0).max(100_000).default(100).describe('Streams at a time of one token.'),
  STREAM_HEARTBEAT_MS: count.min(100).default(15_000).describe('Time between heartbeats of a stream without events.'),
  STREAM_STALL_MS: count.min(100).default(30_000).describe('Time that a client may take to read what a stream sent.'),
  ALLOWED_HOSTS: z
    .string()
    .superRefine(refuseInvalidHosts)
    .default('')
    .describe(
      'Host names that requests may use besides that of PUBLIC_URL and loopback, by comma; `.example.com` for its subdomains, * for all.',
    ),
  COMPRESS_FROM_BYTES: count
    .min(0)
    .default(1024)
    .describe('Size from which answers are compressed for clients that accept it; 0 for never.'),
  TRUST_PROXY: z
    .string()
    .superRefine(refuseInvalidProxies)
    .default('')
    .describe(
      'Proxies in front of the gateway, whose X-Forwarded-For tells the address of a client: how many there are, or their addresses and networks by comma (`10.0.0.0/8,::1`).',
    ),
  MAX_CONNECTIONS: count.min(1).max(1_000_000).default(10_000).describe('Connections at a time.'),
  MAX_BODY_BYTES: count
    .min(1024 * 1024)
    .default(256 * 1024 * 1024)
    .describe('Bytes of request bodies held at a time.'),
  HEADERS_TIMEOUT_MS: count.min(100).default(10_000).describe('Time for the headers of a request to arrive.'),
  REQUEST_TIMEOUT_MS: count.min(100).default(60_000).describe('Time for a whole request to arrive.'),
  KEEP_ALIVE_TIMEOUT_MS: count.min(100).default(65_000).describe('Time an unused connection is kept.'),
  IDLE_TIMEOUT_MS: count.min(100).default(310_000).describe('Time a connection may move no byte.'),
  READY_SERVICES: z
    .string()
    .regex(/^([a-z]+(,[a-z]+)*)?$/, 'Must be names of services, by comma')
    .default('')
    .describe('Services that must have answered before /readyz is 200, by comma; empty for all that have operations.'),
  READY_FILE: z
    .string()
    .optional()
    .describe(
      'Set by `npm start`: a file that exists once the installation is complete. /readyz is 503 before, and whenever a service does not answer.',
    ),
  STOP_TIMEOUT_MS: count.min(0).default(4_000).describe('Time for requests in progress when stopping.'),
} as const;

/** Configuration of a gateway. Times in milliseconds. */
export interface GatewayConfig {
  host: string;
  port: number;
  /** Address under which clients reach the gateway, without a slash at its end. */
  publicUrl: string;
  /**
   * Address of an application that shows content, to which `urls.app` of answers lead; the gateway shows it unless set.
   */
  appUrl?: string | undefined;
  natsUrl: string;
  namespace: string;
  /** The secret keys of the installation: principals are signed with them. */
  keys: Keyring;
  version: string;
  build: string;
  /** Where weaknesses are reported, if the installation says so. */
  security?: SecurityContact | undefined;
  /** Origins that browsers may call from; `[]` = none, `['*']` = all. */
  corsOrigins: readonly string[];
  /** Host names that requests may use, besides the host of `publicUrl`, loopback and IP addresses. */
  allowedHosts: readonly string[];
  /** Bytes from which answers are compressed; 0 = never. */
  compressFromBytes: number;
  rates: RateLimits;
  streams: StreamLimits;
  files: FilesConfig;
  endpoints: EndpointsConfig;
  /** The proxies whose `X-Forwarded-For` is believed. */
  trustProxy: TrustedProxies;
  maxConnections: number;
  maxBodyBytes: number;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  idleTimeoutMs: number;
  stopTimeoutMs: number;
  /** The services that must have answered before the gateway is ready; all that have operations if empty. */
  readyServices: readonly Service[];
  /** A file that exists once an installation on one machine is complete. */
  readyFile: string | undefined;
}

export type GatewaySettings = z.output<z.ZodObject<typeof gatewaySettings>>;

/** Reads the settings from an environment; throws `ConfigError`, one line that names the first bad variable. */
export function readConfig(environment: Record<string, string | undefined>): GatewayConfig {
  return gatewayConfig(parseConfig(gatewaySettings, environment));
}

/** The configuration that settings mean. Throws `ConfigError` for invalid keys. */
export function gatewayConfig(env: GatewaySettings): GatewayConfig {
  const files = filesConfig(env);
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl: (env.PUBLIC_URL ?? `http://${env.HOST}:${env.PORT}`).replace(/\/+$/, ''),
    appUrl: env.APP_URL,
    natsUrl: env.NATS_URL,
    namespace: env.NAMESPACE,
    keys: parseKeyring(env.SECRET_KEYS),
    version: productVersion(),
    build: env.BUILD,
    security: securityContact(env),
    corsOrigins: listed(env.CORS_ORIGINS),
    allowedHosts: listed(env.ALLOWED_HOSTS),
    compressFromBytes: env.COMPRESS_FROM_BYTES,
    rates: ratesOf(env),
    streams: {
      most: env.MAX_STREAMS,
      mostOfToken: env.MAX_STREAMS_PER_TOKEN,
      heartbeatMs: env.STREAM_HEARTBEAT_MS,
      stallMs: env.STREAM_STALL_MS,
    },
    files,
    endpoints: endpointsConfig(env, files.origin),
    trustProxy: parseTrustedProxies(env.TRUST_PROXY),
    maxConnections: env.MAX_CONNECTIONS,
    maxBodyBytes: env.MAX_BODY_BYTES,
    headersTimeoutMs: env.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    keepAliveTimeoutMs: env.KEEP_ALIVE_TIMEOUT_MS,
    idleTimeoutMs: env.IDLE_TIMEOUT_MS,
    stopTimeoutMs: env.STOP_TIMEOUT_MS,
    readyServices: listed(env.READY_SERVICES) as Service[],
    readyFile: env.READY_FILE,
  };
}

function listed(text: string): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function ratesOf(env: GatewaySettings): RateLimits {
  if (env.RATE_LIMIT === 0)
    return { ordinary: 0, search: 0, 'content-write': 0, 'spec-write': 0, pdf: 0, anonymous: 0, files: 0 };
  return {
    ordinary: env.RATE_LIMIT,
    search: env.RATE_LIMIT_SEARCH,
    'content-write': env.RATE_LIMIT_CONTENT_WRITE,
    'spec-write': env.RATE_LIMIT_SPEC_WRITE,
    pdf: env.RATE_LIMIT_PDF,
    anonymous: env.RATE_LIMIT_ANONYMOUS,
    files: env.RATE_LIMIT_FILES,
  };
}

function productVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return manifest.version;
}
