import type { IncomingMessage } from 'node:http';
import { AppError, blaming } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Stamp } from './headers.js';
import type { Hook } from './hook.js';
import type { RefuseHost } from './hosts.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Tells whoever runs the installation that this process lives: under any name, as they know it by its address, and
     * without being counted, as they ask for ever.
     */
    probe?: boolean;
  }
}

export interface GuardDeps {
  stamp: Stamp;
  refuseHost: RefuseHost;
  count: Hook;
}

/**
 * What every request passes before any route looks at it: it is counted, and refused if it was sent to others, or if a proxy
 * in front may have read it otherwise than this process does. Most of that Node's parser refuses already.
 */
export function guard(fastify: FastifyInstance, { stamp, refuseHost, count }: GuardDeps): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    stamp(reply);
    const { config, bodyLimit } = request.routeOptions;
    const refused = refuseFraming(request.raw) ?? (config.probe === true ? null : refuseHost(request.raw));
    // Where one message ends is in doubt: nothing that follows on the connection can be trusted to be another. What is
    // refused unread would otherwise be read to its end, however long that is.
    if (refused !== null || tellsMoreThan(bodyLimit, request)) reply.header('connection', 'close');
    if (config.probe === true) return done(refused ?? undefined);
    count(request, reply, (early) => done(early ?? refused ?? undefined));
  });
}

function tellsMoreThan(bodyLimit: number, { method, raw: { headers } }: FastifyRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && Number(headers['content-length'] ?? 0) > bodyLimit;
}

/**
 * HTTP/1.0 knows no chunks, HTTP/0.9 no headers (RFC 9112, 6.1). Of several codings Node undoes the chunks alone: what is
 * left would be taken for the body, and a proxy in front may not have seen chunks at all.
 */
function refuseFraming({ httpVersionMajor: major, httpVersionMinor: minor, headers }: IncomingMessage): AppError | null {
  const coding = headers['transfer-encoding'];
  if (major === 1 && (coding === undefined || (minor > 0 && coding.toLowerCase() === 'chunked'))) return null;
  const message = 'Where the request ends cannot be told';
  return coding === undefined ? new AppError('invalid_request', [], { message }) : blaming('invalid_request', 'headers.transfer-encoding', message);
}
