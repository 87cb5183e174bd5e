import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError, blaming, contentBounds } from '@scriptorium/contracts';
import type { GatewayConfig } from '../config.js';
import { clientAddress } from '../http/requests/client-address.js';
import { registerCors } from '../http/answers/cors.js';
import { renderError, toAppError } from '../http/answers/errors.js';
import { guard } from '../http/requests/guard.js';
import { commonHeaders } from '../http/answers/headers.js';
import { createRefuseHost } from '../http/requests/hosts.js';
import { lingerOnClose } from '../http/requests/lingering-close.js';
import type { Logger } from '../server/logger.js';
import type { Counting } from '../rates/counting.js';
import { applied, counted } from '../rates/counting.js';
import { limitOf, type Rates } from '../rates/rates.js';
import { refuseUnusualRequests, serverOptions } from '../server/server-options.js';
import type { Requester } from '../services/requester.js';
import type { FileServers } from '../services/byte-servers.js';
import { addIntegrationImages } from './integration-images.js';
import { addSitePages } from './site-pages.js';
import { transfer, type TransferAnswer } from './transfer.js';

export interface FilesHostDeps {
  config: GatewayConfig;
  servers: Pick<FileServers, 'living'>;
  /** Asks services for what is small. */
  client: Requester;
  rates: Pick<Rates, 'take'>;
  logger: Logger;
  isStopping: () => boolean;
}

const publicSpecifications = '/openapi/:organization/:name';
/** Pages of all origins may read what everybody may, whichever origins may call the API: a preflight says so, too. */
const forAllOrigins = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'if-match, if-none-match, if-modified-since, if-range, range, x-request-id',
  'access-control-max-age': '86400',
};

/** The time for an answer once a replica has moved no byte for too long. */
const answerWithinMs = 5_000;

/**
 * The second server of the gateway, for bytes of files alone: on an origin of its own, so that nothing that a file has
 * comes from the origin of the API. It knows neither tokens nor cookies: the addresses of files are signed, or of what
 * is public, and the service checks them.
 */
export async function createFilesHost(deps: FilesHostDeps): Promise<FastifyInstance> {
  const { files, allowedHosts, corsOrigins, maxConnections } = deps.config;
  const counting = countingOf(deps.rates);
  const server = {
    ...deps.config,
    publicUrl: files.origin,
    requestTimeoutMs: files.timeoutMs,
    idleTimeoutMs: files.idleTimeoutMs + answerWithinMs,
  };
  const host = fastify({
    ...serverOptions(server, counting),
    bodyLimit: contentBounds.fileBytes,
    exposeHeadRoutes: false,
  });
  host.server.maxConnections = maxConnections;
  refuseUnusualRequests(host.server, server, counting);
  host.setErrorHandler((error, request, reply) => refuse(deps.logger, toAppError(error), request, reply));
  host.setNotFoundHandler(() => {
    throw new AppError('not_found', [], { message: 'There is no such path' });
  });
  await registerCors(host, corsOrigins);
  guard(host, {
    setCommonHeaders: commonHeaders(files.origin),
    refuseHost: createRefuseHost(files.origin, allowedHosts),
    count: counting.count,
  });
  // Bodies are passed on as they come.
  host.removeAllContentTypeParsers();
  host.addContentTypeParser('*', (_request, _payload, done) => done(null));
  host.addHook('onSend', (_request, reply, payload, done) => {
    if (deps.isStopping()) reply.header('connection', 'close');
    done(null, payload);
  });
  lingerOnClose(host);
  addRoutes(host, passing(deps));
  addIntegrationImages(host, deps.client);
  if (files.readerUrl !== undefined) addSitePages(host, files.readerUrl, files.idleTimeoutMs);
  return host;
}

function addRoutes(host: FastifyInstance, pass: ReturnType<typeof passing>): void {
  host.put('/uploads/:id', pass);
  const read = [
    '/files/:alias/:hash/:name',
    '/published/:space/:file/:version/:name',
    '/exports/:space/:revision/:name',
    '/pdf/:key/:name',
    '/looks/:site/:version/:name',
    publicSpecifications,
  ];
  for (const path of read) {
    host.get(path, pass);
    host.head(path, pass);
  }
  host.options(publicSpecifications, (_request, reply) => reply.code(204).headers(forAllOrigins).send());
}

/** Requests for files have no caller: they are counted by their address, apart from those of the API. */
function countingOf(rates: Pick<Rates, 'take'>): Counting {
  const take = (address: string) => {
    const key = { files: address };
    return counted(rates.take(key, 'ordinary'), limitOf(key, 'ordinary'));
  };
  return {
    count: (request, reply, done) => done(applied(reply, take(clientAddress(request)))),
    countAddress: (address) => take(address ?? ''),
  };
}

function passing({ config: { files }, servers }: FilesHostDeps) {
  let underWay = 0;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (underWay >= files.mostTransfers)
      throw new AppError('unavailable', [], { message: 'Too many files are under way', retryAfter: 1 });
    if (Number(request.headers['content-length'] ?? 0) > contentBounds.fileBytes) throw blaming('too_large', 'body');
    underWay += 1;
    reply.raw.once('close', () => (underWay -= 1));
    const { status, headers, body } = await fromAny(await servers.living(), request, files.idleTimeoutMs);
    // A download that takes longer than an upload may is ended, so that none holds its place for ever.
    const late = setTimeout(() => body.destroy(new Error('The download took too long')), files.timeoutMs).unref();
    reply.raw.once('close', () => clearTimeout(late));
    return reply.code(status).headers(headers).send(body);
  };
}

/** Asks one replica after the other, as long as they cannot be reached. */
async function fromAny(urls: readonly string[], request: FastifyRequest, idleMs: number): Promise<TransferAnswer> {
  let failure: unknown = new AppError('unavailable', [], { message: 'Nobody serves files now', retryAfter: 1 });
  for (const url of urls) {
    try {
      return await transfer(url, request, idleMs);
    } catch (error) {
      failure = error;
      if (!isUnreached(error)) break;
    }
  }
  throw failure;
}

/** Nothing of the request was carried out: its replica is gone. */
function isUnreached(error: unknown): boolean {
  const cause = error instanceof AppError ? (error.cause as { code?: unknown } | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED' || cause?.code === 'EHOSTUNREACH';
}

function refuse(logger: Logger, error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error.reason === 'unexpected')
    logger.error({ err: error.cause ?? error, requestId: request.id }, 'A transfer failed unexpectedly');
  const { status, headers, body } = renderError(error, request.id);
  // What is left of the bytes that were refused is not read as the next request.
  if (!request.raw.complete) reply.header('connection', 'close');
  return reply.code(status).headers(headers).send(body);
}
