import { AppError, blaming, endpointBounds } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { securityHeaders } from '../http/answers/headers.js';
import { clientAddress } from '../http/requests/client-address.js';
import { applied, counted, type Counting } from '../rates/counting.js';
import { limitOf, type Rates } from '../rates/rates.js';
import { createBareHost } from '../server/bare-host.js';
import type { Logger } from '../server/logger.js';
import type { ByteServers } from '../services/byte-servers.js';
import { forwardToEndpoint, type EndpointAnswer } from './forward-to-endpoint.js';

export interface EndpointsHostDeps {
  config: GatewayConfig;
  servers: Pick<ByteServers, 'living'>;
  rates: Pick<Rates, 'take'>;
  logger: Logger;
  isStopping: () => boolean;
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Longer than a script may take, and what is around it. */
const timeoutMs = 60_000;
const idleMs = 40_000;

/**
 * The third server of the gateway: public addresses of integrations, on origins of their own, so that nothing that a
 * script answers comes from the origin of the API or of files.
 */
export async function createEndpointsHost(deps: EndpointsHostDeps): Promise<FastifyInstance> {
  const { endpoints, allowedHosts } = deps.config;
  const host = await createBareHost({
    config: deps.config,
    origin: endpoints.origin,
    allowedHosts: [...allowedHosts, ...endpoints.hosts],
    // Scripts say by themselves who may read what they answer.
    corsOrigins: [],
    requestTimeoutMs: timeoutMs,
    idleTimeoutMs: timeoutMs,
    bodyLimit: endpointBounds.bodyBytes,
    counting: countingOf(deps.rates),
    logger: deps.logger,
    isStopping: deps.isStopping,
  });
  host.route({ method: [...methods], url: '/v1/integrations/*', handler: passing(deps) });
  return host;
}

/** Requests have no caller: they are counted by their address, apart from those of the API. */
function countingOf(rates: Pick<Rates, 'take'>): Counting {
  const take = (address: string) => {
    const key = { endpoints: address };
    return counted(rates.take(key, 'ordinary'), limitOf(key, 'ordinary'));
  };
  return {
    count: (request, reply, done) => done(applied(reply, take(clientAddress(request)))),
    countAddress: (address) => take(address ?? ''),
  };
}

function passing({ config: { endpoints, publicUrl }, servers }: EndpointsHostDeps) {
  const own = Object.keys(securityHeaders(publicUrl)).filter((name) => name !== 'strict-transport-security');
  let underWay = 0;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (underWay >= endpoints.mostRequests)
      throw new AppError('unavailable', [], { message: 'Too many requests to scripts are under way', retryAfter: 1 });
    if (Number(request.headers['content-length'] ?? 0) > endpointBounds.bodyBytes) throw blaming('too_large', 'body');
    underWay += 1;
    reply.raw.once('close', () => (underWay -= 1));
    const { status, headers, body } = await fromAny(await servers.living(), request);
    const late = setTimeout(() => body.destroy(new Error('The answer took too long')), timeoutMs).unref();
    reply.raw.once('close', () => clearTimeout(late));
    // The service knows what a page of an integration may do.
    for (const name of own) reply.removeHeader(name);
    return reply.code(status).headers(headers).send(body);
  };
}

/** Asks one replica after the other, as long as they cannot be reached. */
async function fromAny(urls: readonly string[], request: FastifyRequest): Promise<EndpointAnswer> {
  let failure: unknown = new AppError('runtime_unavailable', [], { retryAfter: 1 });
  for (const url of urls) {
    try {
      return await forwardToEndpoint(url, request, idleMs);
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
