import type { FastifyRequest } from 'fastify';
import { AppError, wireHeader, type Operation } from '@scriptorium/contracts';
import { bearerToken } from './authenticator.js';
import type { SessionCookie } from './session-cookie.js';

/** By what a request says who makes it. */
export interface Credential {
  kind: 'token' | 'session';
  text: string;
}

/**
 * The bearer token of a request, or its session where the operation takes one; what is no operation takes both. Throws
 * `unauthenticated` without either, and `forbidden` for a session that a page of another origin uses.
 */
export function credentialOf(op: Operation | undefined, cookie: SessionCookie, request: FastifyRequest): Credential {
  const { authorization } = request.raw.headers;
  if (authorization === undefined && (op === undefined || op.access.tokens.includes('session'))) {
    const session = cookie.of(request);
    if (session !== undefined) return { kind: 'session', text: session };
  }
  return { kind: 'token', text: bearerToken(authorization) };
}

const longestAgent = 200;

/** What a service is told of the client of an anonymous operation. Throws `forbidden` for a session that a page of another origin would have ended or replaced. */
export function clientHeaders(op: Operation, request: FastifyRequest, cookie: SessionCookie): Record<string, string> {
  const agent = (request.raw.headers['user-agent'] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, longestAgent).trim();
  const session = digest(op, request, cookie);
  return {
    [wireHeader.clientAddress]: request.ip,
    ...(agent === '' ? {} : { [wireHeader.clientAgent]: agent }),
    ...(session === undefined ? {} : { [wireHeader.session]: session }),
  };
}

/** Where nothing is changed, and where another site is meant to send the browser, a session that comes from another origin is as if it were not there. */
function digest(op: Operation, request: FastifyRequest, cookie: SessionCookie): string | undefined {
  try {
    const session = cookie.of(request);
    return session === undefined ? undefined : cookie.digestOf(session);
  } catch (error) {
    if (error instanceof AppError && (op.kind === 'read' || op.browser)) return undefined;
    throw error;
  }
}
