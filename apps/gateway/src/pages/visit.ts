import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, wireHeader, type Operation, type ResultOf } from '@scriptorium/contracts';
import type * as z from 'zod';
import type { Caller } from '../auth/authenticator.js';
import { clientHeaders } from '../auth/credential.js';
import type { SessionCookie } from '../auth/session-cookie.js';
import { renderError } from '../http/errors.js';
import type { Requester } from '../ports.js';
import { pageHeaders } from './layout.js';

export interface PageDeps {
  client: Requester;
  cookie: SessionCookie;
}

interface Input {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** A visitor's request for a page, and what the page can do for them. */
export interface Visit {
  request: FastifyRequest;
  /** Calls an operation in the visitor's name, as part of the one request that the page is; sets the session that it answers with. */
  call<O extends Operation>(op: O, input: Input): Promise<O['response'] extends z.ZodType ? z.output<O['response']> : ResultOf<O> | undefined>;
}

/** What a visitor gets: a page, perhaps about why they were refused, or the way to another one, by GET whatever the method was. */
export type Answer = { page: string; refused?: AppError } | { goTo: string };

/** Answers one request for a page. */
export type Act = (visit: Visit) => Promise<Answer>;

export function give(reply: FastifyReply, answer: Answer): FastifyReply {
  if ('goTo' in answer) return reply.code(303).header('location', answer.goTo).header('content-length', '0').send();
  if (answer.refused === undefined) return reply.headers(pageHeaders).send(answer.page);
  const { status, headers } = renderError(answer.refused, reply.request.id);
  return reply.code(status).headers({ ...headers, ...pageHeaders }).send(answer.page);
}

/** What operations take of a visitor without a session: the rest is refused by the services themselves. */
export function visit(deps: PageDeps, request: FastifyRequest, reply: FastifyReply): Visit {
  return {
    request,
    async call(op, { params = {}, query = {}, body }) {
      const anonymous = op.access.tokens.length === 0;
      if (!anonymous && !op.access.tokens.includes('session')) throw new AppError('forbidden');
      const who = anonymous ? undefined : visitorOf(request);
      const { body: answer, headers } = await deps.client.request({
        service: op.service,
        operation: op.id,
        body: Buffer.from(JSON.stringify({ params, query, body })),
        headers: {
          [wireHeader.requestId]: request.id,
          ...(who === undefined ? clientHeaders(op, request, deps.cookie) : { [wireHeader.principal]: who.header }),
        },
        timeoutMs: op.deadlineMs,
      });
      const session = headers[wireHeader.session];
      if (session !== undefined) deps.cookie.put(reply, session);
      return (answer.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(answer))) as never;
    },
  };
}

/** @throws AppError without a session: pages are not for tokens. */
function visitorOf({ caller, stranger }: FastifyRequest): Caller {
  if (caller === null) throw stranger ?? new AppError('unauthenticated');
  if (caller.principal.token.kind !== 'session') throw new AppError('unauthenticated');
  return caller;
}
