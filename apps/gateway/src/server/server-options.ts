import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { AppError, invalid } from '@scriptorium/contracts';
import type { FastifyError, FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify';
import { requestIdOf } from '../http/accept.js';
import { securityHeaders } from '../http/answer.js';
import { renderError, toAppError } from '../http/errors.js';
import type { Counting } from '../rates/counting.js';

/** The proxies whose `X-Forwarded-For` is believed: how many there are, or their addresses and networks. */
export type TrustedProxies = number | readonly string[];

const maxProxies = 32;

/** Reads `TRUST_PROXY`. Throws an error with a message that says what is allowed. */
export function parseTrustedProxies(text: string): TrustedProxies {
  if (text === '' || text === 'false') return 0;
  if (text === 'true') {
    const problem = '"true" would accept any address in X-Forwarded-For';
    throw new Error(`${problem}; set the number of proxies in front of the gateway, or their addresses and networks`);
  }
  if (/^\d{1,2}$/.test(text) && Number(text) <= maxProxies) return Number(text);
  const networks = text.split(',').map((entry) => entry.trim());
  const wrong = networks.find((entry) => !isNetwork(entry));
  if (wrong === undefined) return networks;
  throw new Error(`"${wrong}" is not a number of proxies up to ${maxProxies}, an address or a network (10.0.0.0/8)`);
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/**
 * The option of the HTTP framework. It gets a function for a number: the framework itself trusts nobody by a number.
 */
export function trustProxyOption(
  proxies: TrustedProxies,
): false | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies !== 'number') return [...proxies];
  return proxies === 0 ? false : (_address, hop) => hop < proxies;
}

/** Settings of the HTTP server; times in milliseconds. */
export interface ServerConfig {
  publicUrl: string;
  trustProxy: TrustedProxies;
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  idleTimeoutMs: number;
}

/**
 * Options of the HTTP server that hosts the gateway: its timeouts, and errors in the documented shape for requests that
 * fail before they have a route. Those are counted too.
 */
export function serverOptions(config: ServerConfig, counting: Counting): FastifyHttpOptions<Server> {
  const common = securityHeaders(config.publicUrl);
  const answer = answerSocket(common, counting);
  return {
    logger: false,
    http: {
      headersTimeout: config.headersTimeoutMs,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: Math.min(1_000, config.headersTimeoutMs),
      // Otherwise Node answers a missing Host header itself, in another shape.
      requireHostHeader: false,
      // A proxy in front may have used the other one of two headers. Joined, they are invalid.
      joinDuplicateHeaders: true,
      // Even if the process was started with --insecure-http-parser.
      insecureHTTPParser: false,
    },
    trustProxy: trustProxyOption(config.trustProxy),
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    connectionTimeout: config.idleTimeoutMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: (request) => requestIdOf(request.headers),
    routerOptions: { maxParamLength: 2048 },
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      counting.count(request, reply, (early) => {
        const answer = renderError(toAppError(early ?? error), request.id);
        reply
          .code(answer.status)
          .headers({ ...common, 'x-request-id': request.id, ...answer.headers })
          .send(answer.body);
      });
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => answer(socket, refusalOf(error.code)),
  };
}

/**
 * Refuses requests that Node reports by other events: `Expect` other than 100-continue, and CONNECT. Call it once with
 * the server.
 */
export function refuseUnusualRequests(
  server: NodeJS.EventEmitter,
  { publicUrl }: Pick<ServerConfig, 'publicUrl'>,
  counting: Counting,
): void {
  const answer = answerSocket(securityHeaders(publicUrl), counting);
  server.on('checkExpectation', (request: IncomingMessage) =>
    answer(request.socket, invalid('headers.expect', 'Must be 100-continue')),
  );
  server.on('connect', (_request: IncomingMessage, socket: Socket) =>
    answer(socket, refused('CONNECT is not supported')),
  );
}

function refusalOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request_timeout');
  return refused('The request is not HTTP');
}

function refused(message: string): AppError {
  return new AppError('invalid_request', [], { message });
}

/** Writes refusals to bare sockets and closes them. Nothing is written behind an answer that has begun. */
function answerSocket(
  common: Readonly<Record<string, string>>,
  { countAddress }: Counting,
): (socket: Socket, error: AppError) => void {
  return (socket, error) => {
    // Node keeps the answer in progress in this field; its own default handler reads it too.
    const begun =
      (socket as Socket & { _httpMessage?: { _headerSent?: boolean } | null })._httpMessage?._headerSent === true;
    if (!socket.writable || begun) {
      socket.destroy();
      return;
    }
    const requestId = requestIdOf({});
    const { headers: rates, refused: early } = countAddress(socket.remoteAddress);
    const { status, headers, body } = renderError(early ?? error, requestId);
    const lines = Object.entries({
      ...common,
      ...rates,
      ...headers,
      'x-request-id': requestId,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
  };
}
