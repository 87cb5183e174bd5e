import cors from '@fastify/cors';
import type { Deprecation } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Headers of every answer. Unless a route says otherwise, an answer is private to its caller and is not a page. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
}

/** Builds the function that puts the common headers and the request id on an answer. */
export function commonHeaders(publicUrl: string): (reply: FastifyReply) => void {
  const names = Object.entries(securityHeaders(publicUrl));
  return (reply) => {
    for (const [name, value] of names) reply.header(name, value);
    reply.header('x-request-id', reply.request.id);
  };
}

/** Headers of a deprecated operation: when it will be removed, and what replaces it (RFC 9745, RFC 8594). */
export function deprecationHeaders({ since, sunset, successor }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(Date.parse(since) / 1000)}`,
    sunset: new Date(sunset).toUTCString(),
    link: `</v1${successor}>; rel="successor-version"`,
  };
}

/** Form that a value from a service must have to be put into a header. */
export const headerForm = /^[\x21-\x7e]{1,2048}$/;

/** Whether an answer has bytes: it is neither empty nor a stream. */
export function hasBytes(payload: unknown): payload is string | Uint8Array {
  return (typeof payload === 'string' || payload instanceof Uint8Array) && payload.length > 0;
}

/** Adds a request header to `Vary`: answers differ by it. */
export function vary(reply: FastifyReply, name: string): void {
  const given = reply.getHeader('vary');
  reply.header('vary', given === undefined ? name : `${String(given)}, ${name}`);
}

/** Adds a link to those that the answer has already (RFC 8288). */
export function addLink(reply: FastifyReply, link: string): void {
  reply.header('link', [reply.getHeader('link') ?? [], link].flat().join(', '));
}

const requestHeaders = [
  'authorization',
  'content-digest',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'if-range',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'prefer',
  'range',
  'scriptorium-after',
  'x-request-id',
  'traceparent',
];

const responseHeaders = [
  'accept-ranges',
  'content-disposition',
  'content-range',
  'deprecation',
  'etag',
  'idempotency-replayed',
  'link',
  'location',
  'preference-applied',
  'retry-after',
  'scriptorium-ignored',
  'scriptorium-position',
  'sunset',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
];

/** Lets browser pages of these origins call; `*` stands for every origin, no origin turns CORS off. */
export async function registerCors(fastify: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await fastify.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: requestHeaders,
    exposedHeaders: responseHeaders,
    maxAge: 86_400,
    strictPreflight: false,
    // A preflight is counted like every request before the route that the plugin adds answers it.
    preflightContinue: true,
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') reply.code(204);
    done();
  });
}
