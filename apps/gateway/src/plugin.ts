import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { embedLookups, operationList, type ApiInformation, type Embeds, type Operation } from '@scriptorium/contracts';
import { noTracing, type Tracing } from '@scriptorium/platform/tracing';
import { registerAgents } from './agents/mcp.routes.js';
import type { Caller } from './auth/authenticator.js';
import { createBrowserCookie, type SessionCookie } from './auth/cookies.js';
import type { GatewayConfig } from './config.js';
import { createComposers } from './embed/compose.js';
import { createLookups } from './embed/lookup.js';
import { createBodyBudget, type BodyBudget, registerBodyParser, lingerOnClose } from './http/body.js';
import { compressAnswers } from './http/compression.js';
import { addLink, registerCors } from './http/answer.js';
import { renderError, toAppError, registerUnknownPaths, type AnswerError } from './http/errors.js';
import { guard } from './http/accept.js';
import { registerHealth } from './services/readiness.js';
import type { Logger } from './server/logger.js';
import { registerOperation } from './operations/route.js';
import { problemForBrowser } from './pages/browser.js';
import { registerPages } from './pages/routes.js';
import { registerSCIM } from './provisioning/scim.routes.js';
import type { Counting } from './rates/counting.js';
import { registerDocuments } from './reference/documents.js';
import { registerInstallation } from './reference/installation.js';
import type { Requester } from './services/client.js';
import type { Streams } from './streams/streams.js';

/** Is called once for each answered request of an operation; `outcome` is `ok` or the reason of the refusal. */
export type Observe = (answer: {
  operation: string;
  outcome: string;
  status: number;
  milliseconds: number;
  requestId: string;
}) => void;

export interface GatewayDeps {
  config: GatewayConfig;
  client: Requester;
  cookie: SessionCookie;
  counting: Pick<Counting, 'count'>;
  streams: Pick<Streams, 'wanted' | 'open'>;
  logger: Logger;
  /** Whether requests can be served now; behind `/readyz`. */
  isReady: () => Promise<boolean>;
  isStopping: () => boolean;
  observe?: Observe;
  tracing?: Tracing;
  /** The operations to route; the product's unless a test brings its own. */
  table?: readonly Operation[];
  /** The lookups of embedded resources; the product's unless a test brings its own. */
  lookups?: Embeds;
}

/**
 * Registers everything that the gateway serves: operations, documents, pages, health, and the answers for unknown
 * paths. The host is any Fastify 5 made with `serverOptions`.
 */
export async function gatewayPlugin(fastify: FastifyInstance, deps: GatewayDeps): Promise<void> {
  const table = deps.table ?? operationList;
  const answerError = createAnswerError(deps.logger);
  decorateRequests(fastify);
  // Before any route: a route that is registered earlier would not use it.
  fastify.setErrorHandler((error, request, reply) => answerError(toAppError(error), request, reply));
  await registerHooks(fastify, deps);
  const pages = await registerPages(fastify, deps, deps.logger);
  const documents = registerDocuments(fastify, table, deps.config);
  const about = registerInstallation(fastify, deps.config);
  const bodies = createBodyBudget(deps.config.maxBodyBytes);
  const agents = await registerAgents(fastify, {
    origins: [new URL(deps.config.publicUrl).origin, ...deps.config.corsOrigins],
    version: deps.config.version,
    bodies,
    logger: deps.logger,
  });
  await registerSCIM(fastify, { client: deps.client, bodies, logger: deps.logger });
  const others = [...registerHealth(fastify, deps.isReady), ...about, ...documents, ...pages, agents];
  registerUnknownPaths(fastify, table, others, answerError);
  registerOperations(fastify, table, deps, bodies);
}

function decorateRequests(fastify: FastifyInstance): void {
  fastify.decorateRequest('caller', null);
  fastify.decorateRequest('authError', null);
  fastify.decorateRequest('authenticationMs', 0);
  fastify.decorateRequest('streamedAfterMs', null);
  fastify.decorateRequest('refusedFor', null);
}

/** Registers what every request and every answer passes. */
async function registerHooks(fastify: FastifyInstance, deps: GatewayDeps): Promise<void> {
  const { publicUrl, allowedHosts, corsOrigins, compressFromBytes } = deps.config;
  // Before the guard: scripts of allowed origins have to be able to read its refusals too.
  await registerCors(fastify, corsOrigins);
  guard(fastify, { publicUrl, allowedHosts, count: deps.counting.count });
  registerBodyParser(fastify);
  compressAnswers(fastify, compressFromBytes);
  // Clients of a stopping gateway open their next connection to another replica.
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (deps.isStopping()) reply.header('connection', 'close');
    done(null, payload);
  });
  // Last, as it needs the answer in the form that is sent.
  lingerOnClose(fastify);
  if (deps.observe !== undefined) observeAnswers(fastify, deps.observe);
}

/** Reports every answered request of an operation to `observe`. */
function observeAnswers(fastify: FastifyInstance, observe: Observe): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const operation = request.routeOptions.config.operation?.id;
    if (operation !== undefined) {
      observe({
        operation,
        outcome: request.refusedFor ?? 'ok',
        status: reply.statusCode,
        milliseconds: request.streamedAfterMs ?? reply.elapsedTime,
        requestId: request.id,
      });
    }
    done();
  });
}

function registerOperations(
  fastify: FastifyInstance,
  table: readonly Operation[],
  deps: GatewayDeps,
  bodies: BodyBudget,
): void {
  const { config, client, cookie, streams, tracing = noTracing, logger } = deps;
  const embeds = deps.lookups ?? embedLookups;
  const lookups = createLookups({ client, embeds, logger });
  const routeDeps = {
    client,
    cookie,
    browser: createBrowserCookie(config.publicUrl),
    bodies,
    own: { getApiInformation: (): ApiInformation => ({ version: config.version, build: config.build }) },
    composerOf: createComposers(embeds, lookups.lookUp),
    forgetEmbedded: (caller: Caller | null) => lookups.forget(caller),
    streams,
    tracing,
  };
  for (const op of table) registerOperation(fastify, op, routeDeps);
}

function createAnswerError(logger: Logger): AnswerError {
  return (error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const { operation } = request.routeOptions.config;
    request.refusedFor = error.reason;
    if (error.reason === 'unexpected') {
      const fields = { err: error.cause ?? error, requestId: request.id, operation: operation?.id };
      logger.error(fields, 'A request failed unexpectedly');
    }
    const rendered = renderError(error, request.id, operation);
    const answer = problemForBrowser(error, request, rendered) ?? rendered;
    const { link, ...headers } = answer.headers;
    if (link !== undefined) addLink(reply, link);
    return reply.code(answer.status).headers(headers).send(answer.body);
  };
}
