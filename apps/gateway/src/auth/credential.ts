import { AppError, wireHeader, type Operation } from '@scriptorium/contracts';
import { looksLikeContentToken } from '@scriptorium/platform/content-token';
import { looksLikeIntegrationToken } from '@scriptorium/platform/integration-token';
import type { FastifyRequest } from 'fastify';
import type { SessionCookie } from './cookies.js';
import { clientAddress } from '../http/accept.js';

/** What a request authenticates itself with. */
export interface Credential {
  kind: 'token' | 'session' | 'content' | 'integration';
  text: string;
}

/**
 * The bearer token of a request, or its session if the operation accepts sessions; routes that are not operations
 * accept both.
 * @throws `unauthenticated` without a credential, `forbidden` for a session that a page of another origin sends
 */
export function credentialOf(op: Operation | undefined, cookie: SessionCookie, request: FastifyRequest): Credential {
  const { authorization } = request.raw.headers;
  if (authorization === undefined && (op === undefined || op.access.tokens.includes('session'))) {
    const session = cookie.of(request);
    if (session !== undefined) return { kind: 'session', text: session };
  }
  const text = bearerToken(authorization);
  if (looksLikeIntegrationToken(text)) return { kind: 'integration', text };
  return { kind: looksLikeContentToken(text) ? 'content' : 'token', text };
}

const maxAgentLength = 200;

/**
 * What a service is told of the client of an anonymous operation. @throws `forbidden` if a page of another origin would
 * end or replace a session
 */
export function clientHeaders(op: Operation, request: FastifyRequest, cookie: SessionCookie): Record<string, string> {
  const agent = (request.raw.headers['user-agent'] ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, maxAgentLength)
    .trim();
  const session = sessionDigest(op, request, cookie);
  return {
    [wireHeader.clientAddress]: clientAddress(request),
    ...(agent === '' ? {} : { [wireHeader.clientAgent]: agent }),
    ...(session === undefined ? {} : { [wireHeader.session]: session }),
  };
}

/**
 * A session that a page of another origin sends is ignored by reads, and by operations that another site sends browsers
 * to.
 */
function sessionDigest(op: Operation, request: FastifyRequest, cookie: SessionCookie): string | undefined {
  try {
    const session = cookie.of(request);
    return session === undefined ? undefined : cookie.digestOf(session);
  } catch (error) {
    if (error instanceof AppError && (op.kind === 'read' || op.browser)) return undefined;
    throw error;
  }
}

/** The refusal of a token that is not valid. */
export function invalidToken(): AppError {
  return new AppError('unauthenticated', [], { message: 'Invalid token' });
}

const bearer = /^bearer +(\S+) *$/i;

/**
 * The token of an `Authorization` header. @throws `unauthenticated` without a header, or for another scheme than Bearer
 */
export function bearerToken(header: string | undefined): string {
  if (header === undefined) throw new AppError('unauthenticated');
  const token = header.startsWith('Bearer ') ? header.slice(7).trim() : bearer.exec(header)?.[1];
  if (token === undefined) throw invalidToken();
  return token;
}
