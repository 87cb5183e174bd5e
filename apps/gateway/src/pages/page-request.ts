import { arrivedPath, AppError, wireHeader, type Operation, type ResultOf, blaming } from '@scriptorium/contracts';
import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify';
import type * as z from 'zod';
import type { Caller } from '../auth/authenticator.js';
import type { SessionCookie } from '../auth/cookies.js';
import { clientHeaders } from '../auth/credential.js';
import { renderError } from '../http/errors.js';
import { pageHeaders } from './layout.js';
import type { Requester } from '../services/client.js';

/** Paths of the pages. Those that need the session, and all forms, are below `/v1`, where browsers send the cookie. */
export const paths = {
  signIn: '/sign-in',
  link: '/sign-in/link',
  arrived: arrivedPath,
  confirm: '/sign-in/confirm',
  view: '/v1/auth/view',
  account: '/v1/auth/account',
  byPassword: '/v1/auth/account/by-password',
  sendLink: '/v1/auth/account/send-link',
  byLink: '/v1/auth/account/by-link',
  bySso: '/v1/auth/account/by-sso',
  newToken: '/v1/auth/account/new-token',
  revokeToken: '/v1/auth/account/revoke-token',
  endSession: '/v1/auth/account/end-session',
  newPassword: '/v1/auth/account/new-password',
  signOut: '/v1/auth/account/sign-out',
} as const;

export interface PageDeps {
  config: { publicUrl: string; appUrl?: string | undefined };
  client: Requester;
  cookie: SessionCookie;
}

interface Input {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** A request for a page. */
export interface WebPageRequest {
  request: FastifyRequest;
  /**
   * Calls an operation as the visitor, and sets the session cookie if the answer has a session. All calls of a page
   * count as one request.
   */
  call: PageCall;
  /**
   * The same for what a visitor looks at: a GET of an operation that other clients need a token for. A page shows it
   * and changes nothing by it.
   */
  read: PageCall;
}

/** What an operation answers: its response, or its result where it has none. */
type Answered<O extends Operation> = O['response'] extends z.ZodType
  ? z.output<O['response']>
  : ResultOf<O> | undefined;

/** A call of an operation as the visitor. */
export type PageCall = <O extends Operation>(op: O, input: Input) => Promise<Answered<O>>;

/** What a visitor gets: a page, with an error if they were refused, or a redirect that is followed by GET. */
export type PageAnswer = { page: string; refused?: AppError } | { redirectTo: string };

/** Answers one request for a page. */
export type PageHandler = (page: WebPageRequest) => Promise<PageAnswer>;

export function sendPage(reply: FastifyReply, answer: PageAnswer): FastifyReply {
  if ('redirectTo' in answer)
    return reply.code(303).header('location', answer.redirectTo).header('content-length', '0').send();
  if (answer.refused === undefined) return reply.headers(pageHeaders).send(answer.page);
  const { status, headers } = renderError(answer.refused, reply.request.id);
  return reply
    .code(status)
    .headers({ ...headers, ...pageHeaders })
    .send(answer.page);
}

/**
 * A page's access to the request and to the services. Operations that a session may not call are refused here, all else
 * by the services.
 */
export function pageRequest(deps: PageDeps, request: FastifyRequest, reply: FastifyReply): WebPageRequest {
  const send = sender(deps, request, reply);
  return {
    request,
    async call(op, input) {
      const { tokens } = op.access;
      if (tokens.length > 0 && !tokens.includes('session'))
        throw new AppError('forbidden', [], { message: 'A session cannot be used for this' });
      return send(op, input);
    },
    async read(op, input) {
      const { tokens } = op.access;
      if (op.method !== 'GET' || !tokens.includes('personal'))
        throw new AppError('forbidden', [], { message: 'A session cannot be used for this' });
      return send(op, input);
    },
  };
}

function sender(deps: PageDeps, request: FastifyRequest, reply: FastifyReply): PageCall {
  return async <O extends Operation>(op: O, { params = {}, query = {}, body }: Input) => {
    const caller = op.access.tokens.length === 0 ? undefined : sessionCaller(request);
    const { body: answer, headers } = await deps.client.request({
      service: op.service,
      operation: op.id,
      body: Buffer.from(JSON.stringify({ params, query, body })),
      headers: {
        [wireHeader.requestId]: request.id,
        ...(caller === undefined ? clientHeaders(op, request, deps.cookie) : { [wireHeader.principal]: caller.header }),
      },
      timeoutMs: op.deadlineMs,
    });
    const session = headers[wireHeader.session];
    if (session !== undefined) deps.cookie.put(reply, session);
    return (answer.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(answer))) as Answered<O>;
  };
}

/** The caller of a session. @throws `unauthenticated` without a session: pages do not accept tokens */
function sessionCaller({ caller, authError }: FastifyRequest): Caller {
  if (caller === null) throw authError ?? new AppError('unauthenticated');
  if (caller.principal.token.kind !== 'session') throw new AppError('unauthenticated');
  return caller;
}

export const formLimit = 16 * 1024;
const maxFields = 20;

/**
 * Reads bodies of this scope as forms, into a map of fields by name. Of several fields with one name the first is used.
 */
export function readForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    (_request, body, done) => {
      const fields = [...new URLSearchParams(String(body))].slice(0, maxFields);
      done(null, new Map(fields.reverse()));
    },
  );
}

/** A field of a form; empty if it is missing. */
export function field(body: unknown, name: string): string {
  if (!(body instanceof Map))
    throw blaming('unsupported_media_type', 'headers.content-type', 'The body must be a form');
  const value: unknown = body.get(name);
  return typeof value === 'string' ? value : '';
}
