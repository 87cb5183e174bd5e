import { AppError, blaming, endpointBounds } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { securityHeaders } from '../http/answer.js';
import { countingByAddress } from '../rates/counting.js';
import type { Rates } from '../rates/rates.js';
import { createBareHost } from '../server/bare-host.js';
import type { Logger } from '../server/logger.js';
import { type ByteServers, fromFirstReached } from '../services/byte-servers.js';
import { forwardToEndpoint } from './forward-to-endpoint.js';

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
    // Requests have no caller, and are counted apart from those of the API.
    counting: countingByAddress(deps.rates, (address) => ({ endpoints: address })),
    logger: deps.logger,
    isStopping: deps.isStopping,
  });
  host.route({ method: [...methods], url: '/v1/integrations/*', handler: passing(deps) });
  return host;
}

const none = (): AppError => new AppError('runtime_unavailable', [], { retryAfter: 1 });

function passing({ config: { endpoints, publicUrl }, servers }: EndpointsHostDeps) {
  const own = Object.keys(securityHeaders(publicUrl)).filter((name) => name !== 'strict-transport-security');
  let underWay = 0;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (underWay >= endpoints.mostRequests)
      throw new AppError('unavailable', [], { message: 'Too many requests to scripts are under way', retryAfter: 1 });
    if (Number(request.headers['content-length'] ?? 0) > endpointBounds.bodyBytes) throw blaming('too_large', 'body');
    underWay += 1;
    reply.raw.once('close', () => (underWay -= 1));
    const { status, headers, body } = await fromFirstReached(await servers.living(), none, (url) =>
      forwardToEndpoint(url, request, idleMs),
    );
    const late = setTimeout(() => body.destroy(new Error('The answer took too long')), timeoutMs).unref();
    reply.raw.once('close', () => clearTimeout(late));
    // The service knows what a page of an integration may do.
    for (const name of own) reply.removeHeader(name);
    return reply.code(status).headers(headers).send(body);
  };
}
