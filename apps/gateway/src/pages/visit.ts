import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, wireHeader, type Operation, type ResultOf } from '@scriptorium/contracts';
import type * as z from 'zod';
import type { Authenticator, Caller } from '../auth/authenticator.js';
import { clientHeaders } from '../auth/credential.js';
import type { SessionCookie } from '../auth/session-cookie.js';
import type { Stamp } from '../http/headers.js';
import type { Requester } from '../ports.js';
import { refuseRate, type Rates } from '../rates/rates.js';
import { pageHeaders } from './layout.js';

export interface PageDeps {
  client: Requester;
  sessions: Authenticator;
  cookie: SessionCookie;
  rates: Pick<Rates, 'take'>;
  stamp: Stamp;
}

interface Input {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** A visitor's request for a page, and what the page can do for them. */
export interface Visit {
  request: FastifyRequest;
  /** @throws AppError `unauthenticated` without a session. */
  caller(): Promise<Caller>;
  /** Calls an operation in the visitor's name; sets the session that it answers with. */
  call<O extends Operation>(op: O, input: Input): Promise<O['response'] extends z.ZodType ? z.output<O['response']> : ResultOf<O> | undefined>;
}

/** What a visitor gets: a page, or the way to another one, by GET whatever the method was. */
export type Answer = { status: number; page: string } | { goTo: string };

/** Answers one request for a page. */
export type Act = (visit: Visit) => Promise<Answer>;

export function give({ stamp }: PageDeps, reply: FastifyReply, answer: Answer): FastifyReply {
  stamp(reply);
  if ('goTo' in answer) return reply.code(303).header('location', answer.goTo).header('content-length', '0').send();
  return reply.code(answer.status).headers(pageHeaders).send(answer.page);
}

/** What operations take of a visitor without a session: the rest is refused by the services themselves. */
export function visit(deps: PageDeps, request: FastifyRequest, reply: FastifyReply): Visit {
  let known: Caller | undefined;
  const caller = async (): Promise<Caller> => {
    if (known !== undefined) return known;
    const session = deps.cookie.of(request);
    if (session === undefined) throw new AppError('unauthenticated');
    known = deps.sessions.known(session) ?? (await deps.sessions.ask(session));
    if (known.renewed !== undefined) deps.cookie.put(reply, known.renewed);
    return known;
  };
  return {
    request,
    caller,
    async call(op, { params = {}, query = {}, body }) {
      const anonymous = op.access.tokens.length === 0;
      if (!anonymous && !op.access.tokens.includes('session')) throw new AppError('forbidden');
      const who = anonymous ? undefined : await caller();
      const refused = refuseRate(deps.rates, reply, who === undefined ? { address: request.ip } : { token: who.principal.token.id }, op.rate);
      if (refused !== undefined) throw refused;
      const { body: answer, headers } = await deps.client.request({
        service: op.service,
        operation: op.id,
        body: Buffer.from(JSON.stringify({ params, query, body })),
        headers: {
          [wireHeader.requestId]: request.id,
          ...(who === undefined ? clientHeaders(request, deps.cookie) : { [wireHeader.principal]: who.header }),
        },
        timeoutMs: op.deadlineMs,
      });
      const session = headers[wireHeader.session];
      if (session !== undefined) deps.cookie.put(reply, session);
      return (answer.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(answer))) as never;
    },
  };
}
