import type { IncomingMessage } from 'node:http';
import { AppError } from '@scriptorium/contracts';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { registerCors } from '../http/answer.js';
import { renderError, toAppError } from '../http/errors.js';
import { guard } from '../http/accept.js';
import { lingerOnClose } from '../http/body.js';
import type { Counting } from '../rates/counting.js';
import type { Logger } from './logger.js';
import { refuseUnusualRequests, serverOptions, type ServerConfig } from './server-options.js';

type RawRequest = Pick<IncomingMessage, 'headers' | 'url'>;

export interface BareHostOptions {
  config: ServerConfig & { maxConnections: number };
  /** Where clients reach it. */
  origin: string;
  allowedHosts: readonly string[];
  corsOrigins: readonly string[];
  /** ms */
  requestTimeoutMs: number;
  idleTimeoutMs: number;
  /** Bytes of a body. */
  bodyLimit: number;
  /** The target that is routed in the place of the one of a request. */
  routedAs?: (request: RawRequest) => string;
  counting: Counting;
  logger: Logger;
  isStopping: () => boolean;
}

/**
 * A server of the gateway on an origin of its own, that knows neither tokens nor cookies of the API. Bodies are passed
 * on as they come.
 */
export async function createBareHost(options: BareHostOptions): Promise<FastifyInstance> {
  const { config, origin, counting, logger, requestTimeoutMs, idleTimeoutMs, bodyLimit } = options;
  const server = { ...config, publicUrl: origin, requestTimeoutMs, idleTimeoutMs };
  const { routedAs: rewriteUrl } = options;
  const more = { bodyLimit, exposeHeadRoutes: false, ...(rewriteUrl && { rewriteUrl }) };
  const host = fastify({ ...serverOptions(server, counting), ...more });
  host.server.maxConnections = config.maxConnections;
  refuseUnusualRequests(host.server, server, counting);
  host.setErrorHandler((error, request, reply) => refuse(logger, toAppError(error), request, reply));
  host.setNotFoundHandler(() => {
    throw new AppError('not_found', [], { message: 'There is no such path' });
  });
  await registerCors(host, options.corsOrigins);
  guard(host, {
    publicUrl: origin,
    allowedHosts: options.allowedHosts,
    count: counting.count,
  });
  host.removeAllContentTypeParsers();
  host.addContentTypeParser('*', (_request, _payload, done) => done(null));
  host.addHook('onSend', (_request, reply, payload, done) => {
    if (options.isStopping()) reply.header('connection', 'close');
    done(null, payload);
  });
  lingerOnClose(host);
  return host;
}

function refuse(logger: Logger, error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.reason === 'unexpected')
    logger.error({ err: error.cause ?? error, requestId: request.id }, 'A transfer failed unexpectedly');
  const { status, headers, body } = renderError(error, request.id);
  // What is left of the bytes that were refused is not read as the next request.
  if (!request.raw.complete) reply.header('connection', 'close');
  return reply.code(status).headers(headers).send(body);
}
