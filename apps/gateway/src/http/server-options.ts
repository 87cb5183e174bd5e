import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyHttpOptions, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '@scriptorium/contracts';
import type { GatewayConfig } from '../config.js';
import { renderError, toAppError } from './errors.js';
import { securityHeaders } from './headers.js';
import { requestIdOf } from './request-id.js';

/**
 * Options of the HTTP server that hosts the gateway: its timeouts, and answers in the documented shape for what fails
 * before any route is known.
 */
export function serverOptions(config: GatewayConfig): FastifyHttpOptions<Server> {
  const common = securityHeaders(config.publicUrl);
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
      const answer = renderError(toAppError(error), request.id);
      reply.code(answer.status).headers({ ...common, 'x-request-id': request.id, ...answer.headers }).send(answer.body);
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      answerSocket(socket, common, refusalOf(error.code));
    },
  };
}

/**
 * Answers exchanges that Node hands over outside the request event: `Expect` other than 100-continue, and CONNECT.
 * To be called once with the listening server.
 */
export function answerOddExchanges(server: NodeJS.EventEmitter, publicUrl: string): void {
  const common = securityHeaders(publicUrl);
  server.on('checkExpectation', (request: IncomingMessage) => {
    answerSocket(request.socket, common, refused('This Expect header is not supported'));
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    answerSocket(socket, common, refused('CONNECT is not supported'));
  });
}

function refusalOf(code: string | undefined): AppError {
  if (code === 'HPE_HEADER_OVERFLOW') return new AppError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request_timeout');
  return refused('The request is not HTTP');
}

function refused(message: string): AppError {
  return new AppError('invalid_request', [], { message });
}

/** Writes a refusal on a bare socket and closes it; nothing is written behind an answer that has begun. */
function answerSocket(socket: Socket, common: Readonly<Record<string, string>>, error: AppError): void {
  // Node keeps the answer in progress there; its own default handler asks the same.
  const begun = (socket as Socket & { _httpMessage?: { _headerSent?: boolean } | null })._httpMessage?._headerSent === true;
  if (!socket.writable || begun) {
    socket.destroy();
    return;
  }
  const requestId = requestIdOf({});
  const { status, headers, body } = renderError(error, requestId);
  const lines = Object.entries({
    ...common,
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}
