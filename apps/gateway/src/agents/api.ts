import { createClient, type Client } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from '../auth/credential.js';

/** Headers of an agent's request that its calls of the API have, too: by them the caller and its address are known. */
const passed = ['host', 'x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'user-agent', 'traceparent'] as const;

/** Milliseconds for one call of the API. Operations end before by deadlines of their own. */
const timeoutMs = 90_000;

/**
 * The whole API, called as whoever makes a request: with its token and address, and through every check that a request
 * from outside passes. Calls stay within this process.
 */
export function apiOf(host: FastifyInstance, request: FastifyRequest, reply: FastifyReply): Client {
  const token = bearerToken(request.headers.authorization);
  return createClient({ endpoint: '', token, timeoutMs, fetch: callsWithin(host, request, reply) });
}

function callsWithin(host: FastifyInstance, { raw, id, socket }: FastifyRequest, reply: FastifyReply): typeof fetch {
  // The answer, and not the connection: that one serves many requests, and would keep something for each.
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const common: Record<string, string> = { 'x-request-id': id };
  for (const name of passed) {
    const value = raw.headers[name];
    if (typeof value === 'string') common[name] = value;
  }
  return async (url, init = {}) => {
    const answer = await host.inject({
      method: init.method as 'GET',
      url: url as string,
      headers: { ...common, ...(init.headers as Record<string, string>) },
      remoteAddress: socket.remoteAddress ?? '',
      signal: AbortSignal.any([gone.signal, ...(init.signal == null ? [] : [init.signal])]),
      ...(init.body === undefined ? {} : { payload: init.body as string }),
    });
    const { statusCode: status, rawPayload, headers } = answer;
    const body = rawPayload.length === 0 ? null : new Uint8Array(rawPayload);
    return new Response(body, { status, headers: headers as Record<string, string> });
  };
}
