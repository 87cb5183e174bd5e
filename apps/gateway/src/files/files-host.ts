import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, blaming, contentBounds } from '@scriptorium/contracts';
import type { GatewayConfig } from '../config.js';
import type { Logger } from '../server/logger.js';
import { countingByAddress } from '../rates/counting.js';
import type { Rates } from '../rates/rates.js';
import { createBareHost } from '../server/bare-host.js';
import type { Requester } from '../services/client.js';
import { type ByteServers, fromFirstReached } from '../services/byte-servers.js';
import { addIntegrationImages } from './integration-images.js';
import { addSitePages, routedBySiteHosts } from './site-pages.js';
import { transfer } from './transfer.js';

export interface FilesHostDeps {
  config: GatewayConfig;
  servers: Pick<ByteServers, 'living'>;
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
  const { files, allowedHosts, corsOrigins } = deps.config;
  const host = await createBareHost({
    config: deps.config,
    origin: files.origin,
    allowedHosts,
    corsOrigins,
    requestTimeoutMs: files.timeoutMs,
    idleTimeoutMs: files.idleTimeoutMs + answerWithinMs,
    bodyLimit: contentBounds.fileBytes,
    ...(files.readerUrl === undefined ? {} : { routedAs: routedBySiteHosts(files.origin, allowedHosts) }),
    // Requests have no caller, and are counted apart from those of the API.
    counting: countingByAddress(deps.rates, (address) => ({ files: address })),
    logger: deps.logger,
    isStopping: deps.isStopping,
  });
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

const none = (): AppError => new AppError('unavailable', [], { message: 'Nobody serves files now', retryAfter: 1 });

function passing({ config: { files }, servers }: FilesHostDeps) {
  let underWay = 0;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (underWay >= files.mostTransfers)
      throw new AppError('unavailable', [], { message: 'Too many files are under way', retryAfter: 1 });
    if (Number(request.headers['content-length'] ?? 0) > contentBounds.fileBytes) throw blaming('too_large', 'body');
    underWay += 1;
    reply.raw.once('close', () => (underWay -= 1));
    const { status, headers, body } = await fromFirstReached(await servers.living(), none, (url) =>
      transfer(url, request, files.idleTimeoutMs),
    );
    // A download that takes longer than an upload may is ended, so that none holds its place for ever.
    const late = setTimeout(() => body.destroy(new Error('The download took too long')), files.timeoutMs).unref();
    reply.raw.once('close', () => clearTimeout(late));
    return reply.code(status).headers(headers).send(body);
  };
}
