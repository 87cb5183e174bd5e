import { performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, wireHeader, type Operation, type Reason } from '@scriptorium/contracts';
import { admission } from './auth/admission.js';
import type { Caller } from './auth/authenticator.js';
import { hashBrowser, newBrowserWord, type BrowserCookie } from './auth/browser-cookie.js';
import { clientHeaders, credentialOf } from './auth/credential.js';
import type { SessionCookie } from './auth/session-cookie.js';
import type { Tracing } from '@scriptorium/platform';
import { entityTag } from '@scriptorium/platform/entity-tag';
import type { Compose, ComposerOf } from './embed/compose.js';
import type { BodyBudget } from './http/body-budget.js';
import { mostDecoded } from './http/coded-body.js';
import { answerConditions } from './http/conditions.js';
import { deprecationHeaders, visible } from './http/headers.js';
import type { Hook } from './http/hook.js';
import { refuseEmpty, refuseTarget } from './http/target.js';
import { compileValidator, type Accepted, type RawInput } from './input/validator.js';
import type { Requester, ServiceAnswer } from './ports.js';
import type { Streams } from './streams/streams.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Milliseconds until a stream began; null for what is answered at once. */
    streamedAfterMs: number | null;
    /** Why the request was refused; null while it is not. */
    refusedFor: Reason | null;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

export interface RouteDeps {
  client: Requester;
  cookie: SessionCookie;
  browser: BrowserCookie;
  bodies: BodyBudget;
  /** Answers of the operations whose service is `gateway`, by operation id. */
  own: Readonly<Record<string, () => unknown>>;
  /** Replaces the references in an answer by their resources, for operations that have any. */
  composerOf: ComposerOf;
  /** Told of each write that a service answered, before the client hears of it. */
  wrote: (caller: Caller | null) => void;
  streams: Pick<Streams, 'wanted' | 'open'>;
  /** Records each forwarded request as a span; absent = contexts pass through. */
  tracing: Tracing | undefined;
}

/** Registers the route of one operation. */
export function registerOperation(fastify: FastifyInstance, op: Operation, deps: RouteDeps): void {
  const url = `/v1${op.path.replace(/\{(\w+)\}/g, ':$1')}`;
  // The root is known by both of its names; no other path has a slash at its end.
  for (const each of op.path === '/' ? [url, '/v1'] : [url]) registerRoute(fastify, each, op, deps);
}

function registerRoute(fastify: FastifyInstance, url: string, op: Operation, deps: RouteDeps): void {
  fastify.route({
    method: op.method,
    url,
    bodyLimit: op.bodyLimit,
    config: { operation: op },
    onRequest: [acceptance(op, deps), admission(op)],
    handler: op.service === 'gateway' ? ownAnswer(op, deps) : forwarding(op, deps),
  });
}

/** Refuses what is wrong whoever asks. */
function acceptance(op: Operation, deps: RouteDeps): Hook {
  return (request, reply, done) => {
    if (op.deprecated !== undefined) reply.headers(deprecationHeaders(op.deprecated));
    // Of a body that nobody reads it does not matter what it is, nor whether its type is one.
    if (op.body === undefined) delete request.raw.headers['content-type'];
    done(refuseTarget(request.raw.url ?? '') ?? refuseEmpty(request.params as Record<string, string>) ?? reserveBody(op, request, reply, deps.bodies) ?? undefined);
  };
}

/** Counts an expected body against what the process holds; a body of unknown length counts as the largest allowed, a coded one as what it may become. */
function reserveBody(op: Operation, request: FastifyRequest, reply: FastifyReply, bodies: BodyBudget): AppError | null {
  const { headers } = request.raw;
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : op.bodyLimit;
  if (length === 0 || request.method === 'GET' || request.method === 'HEAD') return null;
  const held = headers['content-encoding'] === undefined ? length : mostDecoded(length, op.bodyLimit);
  try {
    reply.raw.once('close', bodies.take(Math.min(held, op.bodyLimit)));
    return null;
  } catch (error) {
    return error as AppError;
  }
}

function ownAnswer(op: Operation, deps: RouteDeps) {
  const answer = deps.own[op.id];
  if (answer === undefined) throw new Error(`Nothing answers operation ${op.id}`);
  const validate = compileValidator(op);
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    validate(rawInput(request));
    return reply.code(op.status).header('content-type', json).send(JSON.stringify(answer()));
  };
}

function rawInput(request: FastifyRequest): RawInput {
  return { params: request.params as Record<string, string>, url: request.raw.url ?? '', headers: request.raw.headers, body: request.body as Buffer | undefined };
}

const json = 'application/json; charset=utf-8';

function forwarding(op: Operation, deps: RouteDeps) {
  const validate = compileValidator(op);
  const compose = deps.composerOf(op);
  const { tracing } = deps;
  const forward = async (request: FastifyRequest, reply: FastifyReply, traceparent: string | undefined): Promise<FastifyReply> => {
    const validated = validate(rawInput(request));
    if (deps.streams.wanted(op, request)) return streamed(op, request, reply, validated, deps, compose);
    const { input, conditions } = validated;
    const end = performance.now() + remaining(op, request);
    const word = op.browser ? browserWord(op, request, deps.browser) : undefined;
    const answer = await deps.client.request({
      service: op.service,
      operation: op.id,
      body: input,
      headers: { ...wireHeaders(op, request, traceparent, deps.cookie), ...conditions, ...(word === undefined ? {} : { [wireHeader.browser]: hashBrowser(word) }) },
      timeoutMs: remaining(op, request),
      // A browser that leaves for its provider has a request opened for it.
      reads: op.kind === 'read' && !op.browser,
    });
    if (op.kind === 'write') deps.wrote(request.caller);
    const session = answer.headers[wireHeader.session];
    if (session !== undefined) deps.cookie.put(reply, session);
    if (word !== undefined && op.kind === 'read') deps.browser.put(reply, word);
    if (compose === undefined || answer.body.length === 0) return send(op, request, reply, answer);
    const context = { caller: request.caller, requestId: request.id, timeoutMs: Math.max(1, end - performance.now()) };
    return send(op, request, reply, composed(answer, await compose(answer.body, context)));
  };
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const parent = traceOf(request);
    if (tracing === undefined) return forward(request, reply, parent);
    return tracing.span(op.id, { kind: 'server', parent }, (traceparent) => forward(request, reply, traceparent));
  };
}

/** The pages of a stream are answers to the same request, one after the other. */
function streamed(op: Operation, request: FastifyRequest, reply: FastifyReply, first: Accepted, deps: RouteDeps, compose: Compose | undefined): Promise<FastifyReply> {
  const { service, id: operation, deadlineMs: timeoutMs } = op;
  const headers = { ...wireHeaders(op, request, undefined, deps.cookie), ...first.conditions };
  const ask = async (body: Buffer, more: Record<string, string>): Promise<Uint8Array> => {
    const page = await deps.client.request({ service, operation, body, headers: { ...headers, ...more }, timeoutMs, reads: true });
    return compose === undefined ? page.body : compose(page.body, { caller: request.caller, requestId: request.id, timeoutMs });
  };
  return deps.streams.open({ op, request, reply, credential: credentialOf(op, deps.cookie, request), input: first.input, ask });
}

function remaining(op: Operation, request: FastifyRequest): number {
  const left = Math.floor(op.deadlineMs - request.authenticationMs);
  if (left < 1) throw new AppError('unavailable', [], { message: 'The answer did not come in time' });
  return left;
}

const traceForm = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

function traceOf(request: FastifyRequest): string | undefined {
  const { traceparent } = request.raw.headers;
  return typeof traceparent === 'string' && traceForm.test(traceparent) ? traceparent : undefined;
}

/** What a browser is known by: one that leaves from here gets a word, one that comes back has it. */
function browserWord(op: Operation, request: FastifyRequest, cookie: BrowserCookie): string | undefined {
  return cookie.of(request) ?? (op.kind === 'read' ? newBrowserWord() : undefined);
}

function wireHeaders(op: Operation, request: FastifyRequest, traceparent: string | undefined, cookie: SessionCookie): Record<string, string> {
  const headers: Record<string, string> = { [wireHeader.requestId]: request.id };
  if (request.caller !== null) headers[wireHeader.principal] = request.caller.header;
  if (op.access.tokens.length === 0) Object.assign(headers, clientHeaders(op, request, cookie));
  if (traceparent !== undefined) headers[wireHeader.traceparent] = traceparent;
  return headers;
}

/** The tag of an answer in which others' resources stand is that of both: the service's, and what they made of it. */
function composed(answer: ServiceAnswer, body: Uint8Array): ServiceAnswer {
  const tag = answer.headers[wireHeader.etag];
  if (tag === undefined) return { ...answer, body };
  return { body, headers: { ...answer.headers, [wireHeader.etag]: `${tag}${entityTag(body)}` } };
}

const successForm = /^20\d$/;
/** Requests to identity providers are long. */
const elsewhere = /^[\x21-\x7e]{1,8192}$/;

function send(op: Operation, request: FastifyRequest, reply: FastifyReply, answer: ServiceAnswer): FastifyReply {
  const { body } = answer;
  const given = answer.headers[wireHeader.status];
  const status = given !== undefined && successForm.test(given) ? Number(given) : op.status;
  const location = answer.headers[wireHeader.location];
  reply.code(status);
  if (location !== undefined && (status === 302 ? elsewhere : visible).test(location)) reply.header('location', location);
  if (status === 302) return reply.header('content-length', '0').send();
  if (answerConditions(op, request, reply, answer)) return reply;
  if (status === 204) return reply.send();
  if (status === 205 || body.length === 0) return reply.header('content-length', '0').send();
  if (op.produces === 'application/json') return reply.header('content-type', json).send(body);
  return reply.header('content-type', op.produces).send(JSON.parse(new TextDecoder().decode(body)));
}
