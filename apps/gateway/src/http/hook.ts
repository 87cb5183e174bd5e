import type { FastifyReply, FastifyRequest } from 'fastify';

/** What a request passes before its handler; an error refuses it. */
export type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;
