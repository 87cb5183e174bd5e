import { performance } from 'node:perf_hooks';
import { AppError, largeBodyBytes, wireHeader, type Operation } from '@scriptorium/contracts';
import type { Tracing } from '@scriptorium/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/authenticator.js';
import { hashOf, newBrowserSecret, type BrowserCookie, type SessionCookie } from '../auth/cookies.js';
import { clientHeaders, credentialOf } from '../auth/credential.js';
import type { Compose, ComposerOf } from '../embed/compose.js';
import type { LookupContext } from '../embed/lookup.js';
import { vary } from '../http/answer.js';
import { ignoredHeader, ignoredValue } from '../input/unknown-fields.js';
import { compileValidator, type Accepted, type Note, type RawInput } from '../input/validator.js';
import { once } from '../once.js';
import { asksFirst } from '../pages/browser.js';
import type { Requester } from '../services/client.js';
import type { Streams } from '../streams/streams.js';
import { composed, jsonType, sendAnswer } from './answer.js';
import { sendLines, wantsLines, type AskPage } from './lines.js';

export interface ForwardDeps {
  client: Requester;
  cookie: SessionCookie;
  browser: BrowserCookie;
  /** Answers of the operations whose service is `gateway`, by operation id. */
  own: Readonly<Record<string, () => unknown>>;
  /** Replaces the references in an answer by their resources, for operations that have any. */
  composerOf: ComposerOf;
  /** Drops the cached resources of a caller, who has just changed something or knows of a later position. */
  forgetEmbedded: (caller: Caller | null) => void;
  streams: Pick<Streams, 'wanted' | 'open'>;
  /** Records each forwarded request as a span. */
  tracing: Tracing;
}

/** The handler of an operation that the gateway answers itself. */
export function ownAnswer(op: Operation, deps: ForwardDeps) {
  const answer = deps.own[op.id];
  if (answer === undefined) throw new Error(`Nothing answers operation ${op.id}`);
  const validate = compileValidator(op);
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    validate(rawInput(request), noteIn(reply));
    return reply.code(op.status).header('content-type', jsonType).send(JSON.stringify(answer()));
  };
}

/** The handler of an operation that a service answers. */
export function forwarding(op: Operation, deps: ForwardDeps) {
  const forward = forwardRequest(op, deps);
  const { tracing } = deps;
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const parent = traceOf(request);
    return tracing.span(op.id, { kind: 'server', parent }, (traceparent) => forward(request, reply, traceparent));
  };
}

function rawInput(request: FastifyRequest): RawInput {
  return {
    params: request.params as Record<string, string>,
    url: request.raw.url ?? '',
    headers: request.raw.headers,
    body: request.body as Buffer | undefined,
  };
}

/** Says in the answer, also in a refusal, how the request was handled. */
function noteIn(reply: FastifyReply): Note {
  return (isStrict, ignored) => {
    if (isStrict) reply.header('preference-applied', 'handling=strict');
    if (ignored.length > 0) reply.header(ignoredHeader, ignoredValue(ignored));
    // Other preferences have another answer.
    vary(reply, 'Prefer');
  };
}

function forwardRequest(op: Operation, deps: ForwardDeps) {
  // Made at the first request: for all operations it takes most of the time of a start.
  const prepared = once(() => ({ validate: compileValidator(op), compose: deps.composerOf(op) }));
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    traceparent: string | undefined,
  ): Promise<FastifyReply> => {
    const { validate, compose } = prepared();
    const validated = validate(rawInput(request), noteIn(reply));
    if (op.browser && asksFirst(op, request, reply)) return reply;
    const streamed = inPages({ op, request, reply, first: validated, deps, compose });
    if (streamed !== undefined) return streamed;
    const { input, conditions } = validated;
    const timeoutMs = remainingMs(op, request);
    const end = performance.now() + timeoutMs;
    const secret = op.browser ? browserSecret(op, request, deps.browser) : undefined;
    const answer = await deps.client.request({
      service: op.service,
      operation: op.id,
      body: input,
      headers: {
        ...requestHeaders(op, request, traceparent, deps),
        ...conditions,
        ...(secret === undefined ? {} : { [wireHeader.browser]: hashOf(secret) }),
      },
      timeoutMs,
      // A browser that leaves for its identity provider has a sign-in recorded for it, so that is no pure read.
      // Scripts may do something each time that they run.
      reads: op.kind === 'read' && !op.browser && op.runsScript !== true,
      caller: request.caller,
    });
    const after = conditions[wireHeader.after];
    if (op.kind === 'write' || after !== undefined) deps.forgetEmbedded(request.caller);
    const session = answer.headers[wireHeader.session];
    if (session !== undefined) deps.cookie.put(reply, session);
    if (secret !== undefined && op.kind === 'read') deps.browser.put(reply, secret);
    if (compose === undefined || answer.body.length === 0) return sendAnswer(op, request, reply, answer);
    const context = { ...callerOf(request), timeoutMs: Math.max(1, end - performance.now()), after };
    const body = await compose(answer.body, context, answer.headers[wireHeader.etag]);
    return sendAnswer(op, request, reply, composed(answer, body));
  };
}

function callerOf({ caller, id: requestId }: FastifyRequest): Pick<LookupContext, 'caller' | 'requestId'> {
  return { caller, requestId };
}

interface PagesRequest {
  op: Operation;
  request: FastifyRequest;
  reply: FastifyReply;
  first: Accepted;
  deps: ForwardDeps;
  compose: Compose | undefined;
}

/** Answers with a stream or with lines, if the client asks for them; each page is one more exchange of the request. */
function inPages(pages: PagesRequest): Promise<FastifyReply> | undefined {
  const { op, request, reply, first, deps } = pages;
  if (op.stream === undefined) return undefined;
  const { input } = first;
  if (wantsLines(op, request)) return sendLines(op, reply, input, askFor(pages));
  if (!deps.streams.wanted(op, request)) return undefined;
  const credential = credentialOf(op, deps.cookie, request);
  return deps.streams.open({ op, request, reply, credential, input, ask: askFor(pages) });
}

function askFor({ op, request, first, deps, compose }: PagesRequest): AskPage {
  const { service, id: operation, deadlineMs: timeoutMs } = op;
  const common = { ...requestHeaders(op, request, undefined, deps), ...first.conditions };
  return async (body, more = {}) => {
    const headers = { ...common, ...more };
    const { caller } = request;
    const page = await deps.client.request({ service, operation, body, headers, timeoutMs, reads: true, caller });
    if (compose === undefined) return page.body;
    return compose(page.body, { ...callerOf(request), timeoutMs });
  };
}

/** A browser that leaves for its identity provider gets a new secret; one that comes back brings it. */
function browserSecret(op: Operation, request: FastifyRequest, cookie: BrowserCookie): string | undefined {
  return cookie.of(request) ?? (op.kind === 'read' ? newBrowserSecret() : undefined);
}

/** Headers of a forwarded request: its id, its trace, and its client if anybody may make it. */
function requestHeaders(
  op: Operation,
  request: FastifyRequest,
  traceparent: string | undefined,
  { cookie }: ForwardDeps,
): Record<string, string> {
  return {
    [wireHeader.requestId]: request.id,
    ...(op.access.tokens.length === 0 ? clientHeaders(op, request, cookie) : undefined),
    ...(traceparent === undefined ? undefined : { [wireHeader.traceparent]: traceparent }),
  };
}

/** Milliseconds of the operation's deadline that authentication left. @throws `unavailable` when none are left */
function remainingMs(op: Operation, request: FastifyRequest): number {
  const { length } = (request.body as Buffer | undefined) ?? '';
  const allowed = length > largeBodyBytes ? op.largeBodyDeadlineMs : op.deadlineMs;
  const left = Math.floor(allowed - request.authenticationMs);
  if (left < 1) throw new AppError('unavailable', [], { message: 'The answer did not come in time' });
  return left;
}

const traceForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace context that the client sent; undefined when it sent none or a malformed one. */
function traceOf(request: FastifyRequest): string | undefined {
  const { traceparent } = request.raw.headers;
  return typeof traceparent === 'string' && traceForm.test(traceparent) ? traceparent : undefined;
}
