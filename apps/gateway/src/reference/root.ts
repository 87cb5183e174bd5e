import type { FastifyInstance } from 'fastify';
import { vary } from '../http/answer.js';

/**
 * Serves `/`: redirects browsers to the reference page, and answers JSON with the addresses of the API to programs.
 * `hasReference`: whether there is a reference page. Returns the path.
 */
export function registerRoot(fastify: FastifyInstance, publicUrl: string, hasReference: boolean): string {
  const addresses = {
    api: `${publicUrl}/v1/`,
    openapi: `${publicUrl}/openapi.json`,
    errors: `${publicUrl}/errors`,
    ...(hasReference ? { reference: `${publicUrl}/reference` } : {}),
  };
  const body = JSON.stringify(addresses);
  fastify.get('/', (request, reply) => {
    vary(reply, 'Accept');
    if (hasReference && /\btext\/html\b/.test(request.headers.accept ?? ''))
      return reply.code(302).header('location', '/reference').header('content-length', '0').send();
    return reply.header('content-type', 'application/json; charset=utf-8').send(body);
  });
  return '/';
}
