import type { AgentRequest } from '@scriptorium/agents';
import { AppError, reasonStatus } from '@scriptorium/contracts';
import { createHash } from 'node:crypto';
import { fastify, type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { isProblemStatus, problemPage, type ProblemStatus } from '../pages/problem.js';
import { html, type Answer } from './answer.js';
import { createCompressor, type Compressor } from './compression.js';
import { consentIn, cookieIn, isToken, themeCookie, visitorCookie } from './cookies.js';
import { policyOf } from './policy.js';
import { show, type Asked, type ShowDeps } from './show.js';
import { agentLimit, agentMustSignIn, isOfAgent } from './show-agent.js';
import { submittedIn } from './submitted.js';
import { sessionOf } from '../visit/session.js';

export interface ServerConfig {
  host: string;
  port: number;
  /** The origin under which the API knows `/~site/…`. */
  appOrigin: string;
  /** Where files and, through a gateway, `/~site/…` are served; no slash at its end. */
  contentOrigin: string;
  /** Time for a page, in milliseconds. */
  timeoutMs: number;
  /** Pages that are made at a time. */
  mostAtOnce: number;
}

const longestUrl = 4_096;

/** The server of the reader: pages of sites and their forms, for browsers. */
export function createServer(config: ServerConfig, deps: ShowDeps): FastifyInstance {
  const server = fastify({
    bodyLimit: 1_024,
    requestTimeout: 10_000,
    connectionTimeout: config.timeoutMs + 20_000,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: longestUrl },
    exposeHeadRoutes: true,
    return503OnClosing: true,
  });
  const answerWith = sending(config, createCompressor());
  let running = 0;
  readBodies(server);
  server.route({
    method: ['GET', 'POST'],
    url: '/*',
    handler: async (request, reply) => {
      running += 1;
      try {
        const made =
          running > config.mostAtOnce ? { ...told(request, 503), retryAfter: 1 } : await pageFor(config, deps, request);
        return await answerWith(request, reply, made);
      } finally {
        running -= 1;
      }
    },
  });
  server.setNotFoundHandler((request, reply) => answerWith(request, reply, told(request, 404)));
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const isOwn = (error.statusCode ?? 500) >= 500;
    if (isOwn) deps.logError(error, '/');
    const status = isOwn ? 500 : 404;
    return answerWith(request, reply, told(request, status));
  });
  return server;
}

/** Reads forms of pages as text, and what agents send as bytes. */
function readBodies(server: FastifyInstance): void {
  server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  );
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: agentLimit },
    (_request, body, done) => done(null, body),
  );
}

/** A page that tells why there is no other one, in a language that the visitor reads. */
function told({ headers }: FastifyRequest, status: ProblemStatus, base = '/'): Answer {
  return html(problemPage(status, base, headers['accept-language']), status);
}

const headers = {
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

async function pageFor(config: ServerConfig, deps: ShowDeps, request: FastifyRequest): Promise<Answer> {
  const base = baseOf(request.url);
  if (request.url.length > longestUrl) return told(request, 414);
  try {
    // Whoever asks whether a page is there has not viewed it.
    const counting = request.method === 'HEAD' ? { ...deps, views: { add: () => undefined } } : deps;
    const asked = askedBy(config, request);
    if (asked.address.href.length > longestUrl) return told(request, 414, base);
    if (request.method !== 'POST' || isOfAgent(asked.address)) return await show(counting, asked);
    const submitted = isOwnForm(config, request) ? submittedIn(request.body) : undefined;
    if (submitted === undefined) throw new AppError('not_found');
    return await show(counting, { ...asked, submitted });
  } catch (error) {
    return problem(error, { request, base }, () => deps.logError(error, base));
  }
}

/** Whether a form was sent by a page of the reader: another site must not rate pages for its visitors. */
function isOwnForm({ contentOrigin }: ServerConfig, { headers }: FastifyRequest): boolean {
  const { origin, host = '' } = headers;
  const from = headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin') return false;
  return origin === undefined || [contentOrigin, `https://${host}`, `http://${host}`].includes(origin);
}

function problem(
  error: unknown,
  { request, base }: { request: FastifyRequest; base: string },
  log: () => void,
): Answer {
  const isTimeout = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
  const known = error instanceof AppError ? reasonStatus[error.reason] : isTimeout ? 503 : 500;
  // A bad address and one that may not be seen are not there.
  const status = known === 400 || known === 403 || known === 422 ? 404 : isProblemStatus(known) ? known : 500;
  if (status >= 500) log();
  if (status === 401 && isOfAgent(new URL(request.url, 'http://site'))) return agentMustSignIn();
  const retryAfter = error instanceof AppError ? error.retryAfter : undefined;
  return { ...told(request, status, base), ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/** The address of the site that an address without one leads to, for its style. */
function baseOf(url: string): string {
  return /^\/~site\/[\w-]{1,128}\//.exec(url)?.[0] ?? '/';
}

/** `/~site/…` is known to the API under the address of the application; any other address as it was asked for. */
function askedBy({ appOrigin, contentOrigin, timeoutMs }: ServerConfig, request: FastifyRequest): Asked {
  const { url, headers } = request;
  const isSecure = contentOrigin.startsWith('https:') || headers['x-forwarded-proto'] === 'https';
  const own = `${isSecure ? 'https' : 'http'}://${headers.host ?? ''}`;
  const [origin, shownAt] = url.startsWith('/~site/') ? [appOrigin, contentOrigin] : [own, own];
  if (!URL.canParse(url, origin) || !url.startsWith('/') || url.startsWith('//')) throw new AppError('not_found');
  const address = new URL(url, origin);
  const agent = isOfAgent(address) ? agentIn(request) : undefined;
  const from = visitorAddress(request);
  const token = agent === undefined ? cookieIn(headers.cookie, visitorCookie) : bearerIn(headers.authorization);
  return {
    address,
    agent,
    shownAt,
    token: token !== undefined && isToken(token) ? token : undefined,
    from,
    session: sessionOf({ headers, from, url: new URL(url, shownAt), isOwnHost: origin === own }),
    isSecure,
    theme: cookieIn(headers.cookie, themeCookie),
    consent: consentIn(headers.cookie),
    signal: AbortSignal.timeout(timeoutMs),
  };
}

function agentIn({ method, headers, body }: FastifyRequest): AgentRequest {
  return { method, headers, body: Buffer.isBuffer(body) ? body : undefined };
}

/** The token of a visitor that an agent brings: agents keep no cookies. */
function bearerIn(header: string | undefined): string | undefined {
  return /^bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

/**
 * The machine of the visitor, as the gateway or proxies in front have told it, with whoever has told that: how many of
 * these are believed is for the API to say.
 */
export function visitorAddress({ headers, ip }: Pick<FastifyRequest, 'headers' | 'ip'>): string {
  const given = headers['x-forwarded-for'];
  const text = Array.isArray(given) ? given.join(', ') : given;
  return text !== undefined && /^[\d.:a-fA-F, [\]]{1,500}$/.test(text) ? `${text}, ${ip}` : ip;
}

type Send = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => Promise<FastifyReply>;

/** Sends what is answered with the headers that all answers have, and the policy of the page. */
function sending({ contentOrigin }: ServerConfig, compressor: Compressor): Send {
  return async (request, reply, answer) => {
    const { status, body, type, isForever = false } = answer;
    void reply.headers({
      'content-security-policy': policyOf(contentOrigin, answer.own, answer),
      ...headers,
    });
    void reply
      .headers(headersOf(answer))
      .code(status)
      .type(type.startsWith('font/') ? type : `${type}; charset=utf-8`);
    void reply.header('vary', isForever ? 'Accept-Encoding' : 'Accept-Encoding, Cookie');
    if (status === 200) {
      const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 24)}"`;
      // The same page has other bytes in another encoding.
      void reply.header('etag', `W/${etag}`);
      if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    }
    const encoded = await compressor.encode(body, request.headers['accept-encoding'], isForever);
    if (encoded.encoding !== undefined) void reply.header('content-encoding', encoded.encoding);
    return reply.send(encoded.body);
  };
}

function headersOf({ location, cookie, retryAfter, more, isForever = false }: Answer): Record<string, string> {
  return {
    'cache-control': isForever ? 'public, max-age=31536000, immutable' : 'private, no-cache',
    ...more,
    ...(location === undefined ? {} : { location }),
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  };
}

function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''));
  // `*` is any version of what is there.
  return known.some((one) => one === etag || one === '*');
}
