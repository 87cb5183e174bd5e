import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, blaming, embedLookups, operationList, type ApiInformation, type EmbedLookup, type Operation } from '@scriptorium/contracts';
import type { Tracing } from '@scriptorium/platform';
import type { Caller } from './auth/authenticator.js';
import { createBrowserCookie } from './auth/browser-cookie.js';
import type { SessionCookie } from './auth/session-cookie.js';
import type { GatewayConfig } from './config.js';
import { createComposers } from './embed/compose.js';
import { createLookups } from './embed/lookup.js';
import { createBodyBudget } from './http/body-budget.js';
import { codingOf, decodeBody } from './http/coded-body.js';
import { compressAnswers } from './http/compression.js';
import { renderError, toAppError } from './http/errors.js';
import { guard } from './http/guard.js';
import { createStamp } from './http/headers.js';
import { createRefuseHost } from './http/hosts.js';
import { createMethodsOf } from './http/routes-known.js';
import { pathOf, refuseTarget } from './http/target.js';
import { registerDocuments } from './reference/documents.js';
import { showProblem } from './pages/browser-problem.js';
import { registerPages } from './pages/routes.js';
import { registerOperation } from './operation-route.js';
import type { Logger, Observe, Requester } from './ports.js';
import type { Counting } from './rates/counting.js';
import type { Streams } from './streams/streams.js';

export interface GatewayDeps {
  config: Pick<GatewayConfig, 'publicUrl' | 'version' | 'build' | 'corsOrigins' | 'maxBodyBytes' | 'allowedHosts' | 'compressFromBytes'>;
  client: Requester;
  cookie: SessionCookie;
  counting: Pick<Counting, 'count'>;
  streams: Pick<Streams, 'wanted' | 'open'>;
  logger: Logger;
  /** Whether requests can be served now; behind `/readyz`. */
  isReady: () => boolean;
  isStopping: () => boolean;
  observe?: Observe;
  tracing?: Tracing;
  /** The operations to route; the product's table unless a test brings its own. */
  table?: readonly Operation[];
  /** Who finds embedded resources; the product's table unless a test brings its own. */
  lookups?: Readonly<Record<string, EmbedLookup>>;
}

/**
 * Registers everything that the gateway serves: operations, documents, health, and the answers for what is unknown. The
 * host is any Fastify 5 made with `serverOptions`.
 */
export async function gatewayPlugin(fastify: FastifyInstance, deps: GatewayDeps): Promise<void> {
  const table = deps.table ?? operationList;
  const { publicUrl, allowedHosts, corsOrigins } = deps.config;
  fastify.decorateRequest('caller', null);
  fastify.decorateRequest('stranger', null);
  fastify.decorateRequest('authenticationMs', 0);
  fastify.decorateRequest('streamedAfterMs', null);
  fastify.decorateRequest('refusedFor', null);
  // Before any route: those that are there already would not know of it.
  fastify.setErrorHandler((error, request, reply) => answerError(error, request, reply, deps.logger));
  // Before the guard: scripts have to be able to read its refusals as well.
  await registerCors(fastify, corsOrigins);
  guard(fastify, { stamp: createStamp(publicUrl), refuseHost: createRefuseHost(publicUrl, allowedHosts), count: deps.counting.count });
  registerBodies(fastify);
  compressAnswers(fastify, deps.config.compressFromBytes);
  // Clients of a stopping gateway open their next connection elsewhere.
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (deps.isStopping()) reply.header('connection', 'close');
    done(null, payload);
  });
  const { observe } = deps;
  if (observe !== undefined) registerObserver(fastify, observe);
  const { client, cookie, streams, tracing } = deps;
  const browser = createBrowserCookie(publicUrl);
  const pages = await registerPages(fastify, { client, cookie }, deps.logger);
  const others = [...registerHealth(fastify, deps.isReady), ...registerDocuments(fastify, table, deps.config), ...pages];
  registerUnknown(fastify, table, others, deps.logger);
  const own = { getApiInformation: (): ApiInformation => ({ version: deps.config.version, build: deps.config.build }) };
  const bodies = createBodyBudget(deps.config.maxBodyBytes);
  const lookups = createLookups(deps.client, deps.lookups ?? embedLookups, deps.logger);
  const composerOf = createComposers(deps.lookups ?? embedLookups, lookups.lookUp);
  const wrote = (caller: Caller | null): void => lookups.wrote(caller);
  for (const op of table) registerOperation(fastify, op, { client, cookie, browser, bodies, own, composerOf, wrote, streams, tracing });
}

async function registerCors(fastify: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await fastify.register(cors, {
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['authorization', 'content-type', 'idempotency-key', 'if-match', 'if-none-match', 'last-event-id', 'scriptorium-after', 'x-request-id', 'traceparent'],
    exposedHeaders: ['deprecation', 'etag', 'idempotency-replayed', 'link', 'location', 'retry-after', 'scriptorium-position', 'sunset', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'],
    maxAge: 86_400,
    strictPreflight: false,
    // What is not answered there and then is counted as everything is, and answered by the route that the plugin adds.
    preflightContinue: true,
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') reply.code(204);
    done();
  });
}

const typeOf: Readonly<Record<Operation['consumes'], RegExp>> = {
  'application/json': /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*charset=(?:"utf-8"|utf-8)\s*)?$/i,
  'application/x-www-form-urlencoded': /^application\/x-www-form-urlencoded\s*(?:;\s*charset=(?:"utf-8"|utf-8)\s*)?$/i,
};

/** Reads the bytes of bodies that have the type of the operation; what operations without one are sent is dropped. */
function registerBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    const { operation } = request.routeOptions.config;
    if (operation?.body === undefined || body.length === 0) return done(null, undefined);
    try {
      const coding = codingOf(request.headers['content-encoding']);
      if (!typeOf[operation.consumes].test(request.headers['content-type'] ?? '')) throw blaming('unsupported_media_type', 'headers.content-type', `The body must be ${operation.consumes} in UTF-8`);
      if (coding === undefined) return done(null, body);
      decodeBody(body, coding, operation.bodyLimit).then((plain) => done(null, plain), done);
    } catch (error) {
      done(error as Error);
    }
  });
}

function registerObserver(fastify: FastifyInstance, observe: Observe): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation?.id;
    if (operation !== undefined) {
      const outcome = request.refusedFor ?? 'ok';
      observe({ operation, outcome, status: reply.statusCode, milliseconds: request.streamedAfterMs ?? reply.elapsedTime, requestId: request.id });
    }
    done();
  });
}

function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger): FastifyReply {
  const error = toAppError(thrown);
  request.refusedFor = error.reason;
  if (error.reason === 'unexpected') {
    logger.error({ err: error.cause ?? error, requestId: request.id, operation: request.routeOptions.config.operation?.id }, 'A request failed unexpectedly');
  }
  const rendered = renderError(error, request.id, request.routeOptions.config.operation);
  const answer = showProblem(error, request, rendered) ?? rendered;
  const link = [reply.getHeader('link') ?? [], answer.headers['link'] ?? []].flat().join(', ');
  return reply.code(answer.status).headers({ ...answer.headers, ...(link === '' ? {} : { link }) }).send(answer.body);
}

/** Bare liveness and readiness; details are on the administration port. Returns the paths. */
function registerHealth(fastify: FastifyInstance, isReady: () => boolean): string[] {
  const answer = (path: string, well: () => boolean): void => {
    fastify.get(path, { config: { probe: true } }, (_request, reply) => {
      const fine = well();
      return reply.code(fine ? 200 : 503).header('content-type', 'text/plain; charset=utf-8').send(fine ? 'ok' : 'unavailable');
    });
  };
  answer('/livez', () => true);
  answer('/readyz', isReady);
  return ['/livez', '/readyz'];
}

/** Answers paths that do not exist and methods that a path does not have. */
function registerUnknown(fastify: FastifyInstance, table: readonly Operation[], others: readonly string[], logger: Logger): void {
  const methodsOf = createMethodsOf(table, others);
  fastify.setNotFoundHandler((request, reply) => {
    const url = request.raw.url ?? '/';
    const refused = refuseTarget(url);
    if (refused !== null) return answerError(refused, request, reply, logger);
    const methods = methodsOf(pathOf(url));
    if (methods.length === 0 || methods.includes(request.method)) {
      return answerError(new AppError('not_found', [], { message: 'There is no such path' }), request, reply, logger);
    }
    reply.header('allow', methods.join(', '));
    return answerError(new AppError('method_not_allowed', [], { message: `${request.method.slice(0, 32)} is not possible here` }), request, reply, logger);
  });
}
