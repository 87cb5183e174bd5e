import { performance } from 'node:perf_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { wireHeader, type Operation } from '@scriptorium/contracts';
import type { Tracing } from '@scriptorium/platform';
import type { Caller } from '../auth/authenticator.js';
import { hashBrowser, newBrowserSecret, type BrowserCookie } from '../auth/browser-cookie.js';
import { credentialOf } from '../auth/credential.js';
import type { SessionCookie } from '../auth/session-cookie.js';
import type { Compose, ComposerOf } from '../embed/compose.js';
import type { LookupContext } from '../embed/lookup.js';
import { ignoredHeader, ignoredValue } from '../input/handling.js';
import { compileValidator, type Accepted, type Note, type RawInput } from '../input/validator.js';
import { vary } from '../http/answers/compression.js';
import { once } from '../once.js';
import type { RecentWrites } from '../services/recent-writes.js';
import type { Requester } from '../services/requester.js';
import { asksFirst } from '../pages/confirm-sign-in.js';
import type { Streams } from '../streams/streams.js';
import { composed, jsonType, sendAnswer } from './answer.js';
import { remainingMs, requestHeaders, traceOf } from './request-headers.js';

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
  recentWrites: RecentWrites;
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
    if (asksFirst(op, request, reply)) return reply;
    if (deps.streams.wanted(op, request)) return openStream(op, request, reply, validated, deps, compose);
    const { input, conditions } = validated;
    const end = performance.now() + remainingMs(op, request);
    const secret = op.browser ? browserSecret(op, request, deps.browser) : undefined;
    const answer = await deps.client.request({
      service: op.service,
      operation: op.id,
      body: input,
      headers: {
        ...requestHeaders(op, request, traceparent, deps),
        ...conditions,
        ...(secret === undefined ? {} : { [wireHeader.browser]: hashBrowser(secret) }),
      },
      timeoutMs: remainingMs(op, request),
      // A browser that leaves for its identity provider has a sign-in recorded for it, so that is no pure read.
      // Scripts may do something each time that they run.
      reads: op.kind === 'read' && !op.browser && op.runsScript !== true,
    });
    const after = conditions[wireHeader.after];
    if (op.kind === 'write' || after !== undefined) deps.forgetEmbedded(request.caller);
    deps.recentWrites.record(request.caller?.principal.token.id, op.service, answer.headers);
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

/** Answers with a stream; each of its pages is one more exchange of the same request. */
function openStream(
  op: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  first: Accepted,
  deps: ForwardDeps,
  compose: Compose | undefined,
): Promise<FastifyReply> {
  const { service, id: operation, deadlineMs: timeoutMs } = op;
  const common = { ...requestHeaders(op, request, undefined, deps), ...first.conditions };
  const ask = async (body: Buffer, more: Record<string, string>): Promise<Uint8Array> => {
    const headers = { ...common, ...more };
    const page = await deps.client.request({ service, operation, body, headers, timeoutMs, reads: true });
    if (compose === undefined) return page.body;
    return compose(page.body, { ...callerOf(request), timeoutMs });
  };
  const credential = credentialOf(op, deps.cookie, request);
  return deps.streams.open({ op, request, reply, credential, input: first.input, ask });
}

/** A browser that leaves for its identity provider gets a new secret; one that comes back brings it. */
function browserSecret(op: Operation, request: FastifyRequest, cookie: BrowserCookie): string | undefined {
  return cookie.of(request) ?? (op.kind === 'read' ? newBrowserSecret() : undefined);
}
