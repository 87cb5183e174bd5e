import type { Operation, Reason } from '@scriptorium/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds until a stream began; null for what is answered at once. */
    streamedAfterMs: number | null;
    /** Why the request was refused; null while it is not. */
    refusedFor: Reason | null;
  }
  interface FastifyContextConfig {
    /** The operation of a route; undefined for documents, pages and health. */
    operation?: Operation;
  }
}

/** A step that a request passes before its handler; an error refuses the request. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;
