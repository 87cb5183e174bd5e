import { AppError, largeBodyBytes, wireHeader, type Operation } from '@scriptorium/contracts';
import type { FastifyRequest } from 'fastify';
import { clientHeaders } from '../auth/credential.js';
import type { SessionCookie } from '../auth/session-cookie.js';
import type { RecentWrites } from '../services/recent-writes.js';

export interface RequestHeadersDeps {
  cookie: SessionCookie;
  recentWrites: Pick<RecentWrites, 'headersFor'>;
}

/**
 * Headers of a forwarded request: its id, its caller or its client, what the caller wrote a short time ago, and its
 * trace.
 */
export function requestHeaders(
  op: Operation,
  request: FastifyRequest,
  traceparent: string | undefined,
  { cookie, recentWrites }: RequestHeadersDeps,
): Record<string, string> {
  const headers = recentWrites.headersFor(request.caller?.principal.token.id, op.service);
  headers[wireHeader.requestId] = request.id;
  if (request.caller !== null) headers[wireHeader.principal] = request.caller.header;
  if (op.access.tokens.length === 0) Object.assign(headers, clientHeaders(op, request, cookie));
  if (traceparent !== undefined) headers[wireHeader.traceparent] = traceparent;
  return headers;
}

/** Milliseconds of the operation's deadline that authentication left. @throws `unavailable` when none are left */
export function remainingMs(op: Operation, request: FastifyRequest): number {
  const { length } = (request.body as Buffer | undefined) ?? '';
  const allowed = length > largeBodyBytes ? op.largeBodyDeadlineMs : op.deadlineMs;
  const left = Math.floor(allowed - request.authenticationMs);
  if (left < 1) throw new AppError('unavailable', [], { message: 'The answer did not come in time' });
  return left;
}

const traceForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace context that the client sent; undefined when it sent none or a malformed one. */
export function traceOf(request: FastifyRequest): string | undefined {
  const { traceparent } = request.raw.headers;
  return typeof traceparent === 'string' && traceForm.test(traceparent) ? traceparent : undefined;
}
