import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

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
