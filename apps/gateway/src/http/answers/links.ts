import type { FastifyReply } from 'fastify';

/** Adds a link to those that the answer has already (RFC 8288). */
export function addLink(reply: FastifyReply, link: string): void {
  reply.header('link', [reply.getHeader('link') ?? [], link].flat().join(', '));
}
