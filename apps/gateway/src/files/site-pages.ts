import { AppError, blaming } from '@scriptorium/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Agent, request as send, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { clientAddress, isAddress } from '../http/accept.js';

/** Headers of a request that the reader needs. */
const passedOn = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cookie',
  'if-none-match',
  'referer',
  'user-agent',
] as const;
/** Headers of forms are included: the reader accepts only forms of its own pages. */
const passedWithForms = [...passedOn, 'content-length', 'content-type', 'origin', 'sec-fetch-site'] as const;
/** Agents bring the token of a visitor as clients of an API do. */
const passedWithAgents = [
  ...passedWithForms,
  'authorization',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
] as const;
const largestForm = 1_024;
const largestOfAgents = 16 * 1_024;
const passedBack = [
  ...[
    'allow',
    'cache-control',
    'content-encoding',
    'content-length',
    'content-security-policy',
    'content-type',
    'etag',
  ],
  'location',
  ...[
    'permissions-policy',
    'referrer-policy',
    'retry-after',
    'set-cookie',
    'vary',
    'www-authenticate',
    'x-content-type-options',
  ],
] as const;

const timeoutMs = 20_000;

/**
 * Shows the pages of sites beside the bytes of files. The reader makes them: it is a client of the API like any other,
 * and has no address of its own to the outside.
 */
export function addSitePages(host: FastifyInstance, readerUrl: string, idleMs: number): void {
  const agent = new Agent({ keepAlive: true, maxSockets: 256, timeout: 60_000 });
  host.addHook('onClose', () => agent.destroy());
  const wait = Math.min(idleMs, timeoutMs);
  const show = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Only what is asked for at the host of a site has it.
    if (request.originalUrl.startsWith(`${hostPrefix}/`)) throw new AppError('not_found');
    const most = isOfAgent(request) ? largestOfAgents : largestForm;
    if (Number(request.headers['content-length'] ?? 0) > most) throw blaming('too_large', 'body');
    const answer = await ask(request, readerUrl, agent, wait);
    for (const name of passedBack) {
      const value = answer.headers[name];
      if (value !== undefined) reply.header(name, value);
    }
    return reply.code(answer.statusCode ?? 502).send(answer);
  };
  for (const [url, anyHost] of [
    ['/~site/*', false],
    [`${hostPrefix}/*`, true],
  ] as const) {
    host.get(url, { exposeHeadRoute: true, config: { anyHost } }, show);
    host.post(url, { bodyLimit: largestOfAgents, config: { anyHost } }, show);
  }
}

/** Before the path of what was asked for at the host of a site. */
const hostPrefix = '/~host';

/**
 * Leads all that is asked for under other names than those of files to the reader: the hosts of sites. Nothing else is
 * there, so a file never comes from the origin of a site. `origin`: of files.
 */
export function routedBySiteHosts(
  origin: string,
  allowed: readonly string[],
): (request: Pick<IncomingMessage, 'headers' | 'url'>) => string {
  const own = new Set(['localhost', new URL(origin).hostname, ...allowed].map((name) => name.toLowerCase()));
  const suffixes = allowed.filter((name) => name.startsWith('.')).map((name) => name.toLowerCase());
  return ({ headers, url = '/' }) => {
    const name = (URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '').replace(/\.$/, '');
    const isOwn = own.has('*') || own.has(name) || isAddress(name) || suffixes.some((suffix) => name.endsWith(suffix));
    // A site has a host of its own for itself: others are not shown there by their ids.
    const isOfSite = !isOwn && name !== '' && url.startsWith('/') && !url.startsWith('/~site/');
    return isOfSite ? `${hostPrefix}${url}` : url;
  };
}

/** Whether the host of a request is that of a site, as the reader has to know. */
function isOfSiteHost({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.anyHost === true;
}

function isOfAgent({ url }: FastifyRequest): boolean {
  return /^[^?]*\/~mcp(?:\?|$)/.test(url);
}

function passed(request: FastifyRequest): OutgoingHttpHeaders {
  const { headers, method } = request;
  const names = isOfAgent(request) ? passedWithAgents : method === 'POST' ? passedWithForms : passedOn;
  return Object.fromEntries(
    names.flatMap((name): [string, string | string[]][] => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function ask(request: FastifyRequest, readerUrl: string, agent: Agent, wait: number): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing = send(`${readerUrl}${request.originalUrl}`, {
      method: request.method,
      agent,
      timeout: wait,
      headers: {
        ...passed(request),
        ...(isOfSiteHost(request) ? { host: request.headers.host } : {}),
        'x-forwarded-for': clientAddress(request),
        'x-request-id': request.id,
      },
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('The reader did not answer in time')));
    outgoing.once('response', resolve);
    outgoing.on('error', (cause) =>
      reject(new AppError('unavailable', [], { message: 'Sites cannot be shown now', cause, retryAfter: 1 })),
    );
    request.raw.once('close', () => {
      if (!request.raw.complete) outgoing.destroy();
    });
    if (request.method === 'POST') request.raw.pipe(outgoing);
    else outgoing.end();
  });
}
