import type { IncomingMessage } from 'node:http';
import { AppError, blaming } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { SetCommonHeaders } from '../answers/headers.js';
import type { Hook } from './hook.js';
import type { RefuseHost } from './hosts.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A health check of operators: answered under every host name, and not counted against a rate. */
    probe?: boolean;
  }
}

export interface GuardDeps {
  setCommonHeaders: SetCommonHeaders;
  refuseHost: RefuseHost;
  count: Hook;
}

/**
 * Checks every request before its route: counts it, and refuses it if it was sent to another host, or if a proxy in
 * front may have read its end differently. Node's parser refuses most of the latter already.
 */
export function guard(fastify: FastifyInstance, { setCommonHeaders, refuseHost, count }: GuardDeps): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(reply);
    const { config, bodyLimit } = request.routeOptions;
    const refused = refuseFraming(request.raw) ?? (config.probe === true ? null : refuseHost(request.raw));
    // If the end of a message is ambiguous, the bytes behind it must not be read as the next request. A body beyond its
    // limit would be read to its end, however long it is.
    if (refused !== null || exceedsLimit(bodyLimit, request)) reply.header('connection', 'close');
    if (config.probe === true) return done(refused ?? undefined);
    count(request, reply, (early) => done(early ?? refused ?? undefined));
  });
}

function exceedsLimit(bodyLimit: number, { method, raw: { headers } }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && Number(headers['content-length'] ?? 0) > bodyLimit;
}

/**
 * HTTP/1.0 has no chunks, HTTP/0.9 has no headers (RFC 9112, 6.1). Of several transfer codings Node decodes only the
 * chunks: the rest would be taken for the body, and a proxy in front may have found another end.
 */
function refuseFraming({
  httpVersionMajor: major,
  httpVersionMinor: minor,
  headers,
}: IncomingMessage): AppError | null {
  const coding = headers['transfer-encoding'];
  if (major === 1 && (coding === undefined || (minor > 0 && coding.toLowerCase() === 'chunked'))) return null;
  const message = 'The end of the request is ambiguous';
  return coding === undefined
    ? new AppError('invalid_request', [], { message })
    : blaming('invalid_request', 'headers.transfer-encoding', message);
}
