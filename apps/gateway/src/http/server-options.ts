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
      answerSocket(socket, common, messageOf(error.code));
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
    answerSocket(request.socket, common, 'This Expect header is not supported');
  });
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    answerSocket(socket, common, 'CONNECT is not supported');
  });
}

function messageOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The headers are too large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time';
  return 'The request is not HTTP';
}

/** Writes a refusal on a bare socket and closes it; nothing is written behind an answer that has begun. */
function answerSocket(socket: Socket, common: Readonly<Record<string, string>>, message: string): void {
  // Node keeps the answer in progress there; its own default handler asks the same.
  const begun = (socket as Socket & { _httpMessage?: { _headerSent?: boolean } | null })._httpMessage?._headerSent === true;
  if (!socket.writable || begun) {
    socket.destroy();
    return;
  }
  const requestId = requestIdOf({});
  const { status, headers, body } = renderError(new AppError('invalid_request', [], { message }), requestId);
  const lines = Object.entries({
    ...common,
    ...headers,
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}
