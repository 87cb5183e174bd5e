import { AppError, endpointRefused, endpointServers, statusOf } from '@scriptorium/contracts';
import { asAppError } from '@scriptorium/event-sourcing';
import { ByteServer } from '@scriptorium/platform';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { EndpointRequests, type EndpointParts } from './endpoint-requests.process.js';
import type { EndpointSettings } from './endpoints.settings.js';
import type { PlainAnswer } from './login-guard.process.js';

const idleMs = 60_000;

/** Answers gateways for the public addresses of integrations, over HTTP: bodies are too large for messages. */
export class EndpointServer {
  readonly #requests: EndpointRequests;
  readonly #parts: EndpointParts;
  readonly #server: ByteServer;

  constructor(parts: EndpointParts, { ENDPOINTS_HOST, ENDPOINTS_PORT, ENDPOINTS_URL }: EndpointSettings) {
    this.#parts = parts;
    this.#requests = new EndpointRequests(parts);
    this.#server = new ByteServer({
      messaging: parts.context.messaging,
      subject: endpointServers,
      host: ENDPOINTS_HOST,
      port: ENDPOINTS_PORT,
      url: ENDPOINTS_URL,
      setting: 'ENDPOINTS_URL',
      idleMs,
      handle: (request, response) => this.#handle(request, response, () => undefined),
      handleExpecting: (request, response) => this.#handle(request, response, () => response.writeContinue()),
    });
  }

  start(): Promise<void> {
    return this.#server.start();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  #handle(request: IncomingMessage, response: ServerResponse, proceed: () => void): void {
    void this.#requests
      .answer({ request, proceed })
      .then((answer) => sendAnswer(request, response, answer))
      .catch((error: unknown) => this.#refuse(request, response, refusalOf(error)));
  }

  #refuse(request: IncomingMessage, response: ServerResponse, error: AppError): void {
    const requestId = request.headers['x-request-id'];
    const isOver = request.destroyed && !request.complete;
    if (error.reason === 'unexpected' && !isOver && !response.destroyed)
      this.#parts.context.logger.error({ err: error.cause ?? error, requestId }, 'an integration could not answer');
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    const { reason, message, details, retryAfter } = error;
    const body = JSON.stringify({ reason, message, details, retryAfter });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const all = { ...headers, [endpointRefused]: '1', connection: 'close' };
    response.writeHead(statusOf(undefined, reason), all).end(body);
  }
}

function sendAnswer(request: IncomingMessage, response: ServerResponse, { status, headers, body }: PlainAnswer): void {
  if (response.destroyed) return;
  const hasBody = request.method !== 'HEAD' && ![204, 205, 304].includes(status);
  try {
    response.writeHead(status, { ...headers, ...(hasBody ? { 'content-length': body.length } : {}) });
  } catch (cause) {
    // Whatever a script puts into a header.
    throw new AppError('integration_failed', [], { cause });
  }
  response.end(hasBody ? body : undefined);
}

function refusalOf(error: unknown): AppError {
  const known = asAppError(error);
  return known instanceof AppError ? known : new AppError('unexpected', [], { cause: error });
}
