import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, blaming } from '@scriptorium/contracts';
import type { GatewayConfig } from '../config.js';
import type { Counting } from '../rates/counting.js';
import { renderError, toAppError } from './errors.js';
import { securityHeaders } from './headers.js';
import { requestIdOf } from './request-id.js';

/**
 * Options of the HTTP server that hosts the gateway: its timeouts, and answers in the documented shape for what fails
 * before any route is known, counted as everything is.
 */
export function serverOptions(config: GatewayConfig, counting: Counting): FastifyHttpOptions<Server> {
  const common = securityHeaders(config.publicUrl);
  const answer = answerSocket(common, counting);
  return {
    logger: false,
    http: {
      headersTimeout: config.headersTimeoutMs,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: Math.min(1_000, config.headersTimeoutMs),
      // Without it Node answers a missing Host itself, in no shape of ours.
      requireHostHeader: false,
      // Of two headers where one belongs, a proxy in front may have heeded the other: together they are neither.
      joinDuplicateHeaders: true,
      // Whatever the process was started with, nothing is read more generously than the RFCs have it.
      insecureHTTPParser: false,
    },
    trustProxy: config.trustProxy,
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
        reply.code(answer.status).headers({ ...common, 'x-request-id': request.id, ...answer.headers }).send(answer.body);
      });
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => answer(socket, refusalOf(error.code)),
  };
}

/**
 * Answers exchanges that Node hands over outside the request event: `Expect` other than 100-continue, and CONNECT.
 * To be called once with the listening server.
 */
export function answerOddExchanges(server: NodeJS.EventEmitter, { publicUrl }: Pick<GatewayConfig, 'publicUrl'>, counting: Counting): void {
  const answer = answerSocket(securityHeaders(publicUrl), counting);
  server.on('checkExpectation', (request: IncomingMessage) => answer(request.socket, blaming('invalid_request', 'headers.expect', 'This Expect header is not supported')));
  server.on('connect', (_request: IncomingMessage, socket: Socket) => answer(socket, refused('CONNECT is not supported')));
}

function refusalOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request_timeout');
  return refused('The request is not HTTP');
}

function refused(message: string): AppError {
  return new AppError('invalid_request', [], { message });
}

/** Writes refusals on bare sockets and closes them; nothing is written behind an answer that has begun. */
function answerSocket(common: Readonly<Record<string, string>>, { countAddress }: Counting): (socket: Socket, error: AppError) => void {
  return (socket, error) => {
    // Node keeps the answer in progress there; its own default handler asks the same.
    const begun = (socket as Socket & { _httpMessage?: { _headerSent?: boolean } | null })._httpMessage?._headerSent === true;
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
