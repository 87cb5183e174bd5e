import type { IncomingMessage } from 'node:http';
import { AppError } from '@scriptorium/contracts';
import type { FastifyInstance } from 'fastify';
import type { Stamp } from './headers.js';
import type { RefuseHost } from './hosts.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers under any name: it says nothing, and those who ask know this process by its address. */
    anyHost?: boolean;
  }
}

/**
 * Refuses, before any route looks at it, what was sent to others, and what a proxy in front may have read otherwise than
 * this process does. Most of that Node's parser refuses already.
 */
export function guard(fastify: FastifyInstance, refuseHost: RefuseHost, stamp: Stamp): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const refused = refuseFraming(request.raw) ?? (request.routeOptions.config.anyHost === true ? null : refuseHost(request.raw));
    if (refused === null) return done();
    stamp(reply);
    // Where one message ends is in doubt: nothing that follows on the connection can be trusted to be another.
    reply.header('connection', 'close');
    done(refused);
  });
}

/** HTTP/1.0 knows no chunks, HTTP/0.9 no headers (RFC 9112, 6.1). */
function refuseFraming({ httpVersionMajor: major, httpVersionMinor: minor, headers }: IncomingMessage): AppError | null {
  if (major === 1 && (minor > 0 || headers['transfer-encoding'] === undefined)) return null;
  return new AppError('invalid_request', [], { message: 'Where the request ends cannot be told' });
}
