import { AppError, blaming, endpointBounds, endpointHost, endpointRefused } from '@scriptorium/contracts';
import type { FastifyRequest } from 'fastify';
import { request as send, type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { Transform } from 'node:stream';
import { pathOf } from '../http/accept.js';
import { refusalIn } from '../services/byte-servers.js';

/** What a replica answered. Its body has to be read to its end or destroyed. */
export interface EndpointAnswer {
  status: number;
  headers: Record<string, string | string[]>;
  body: IncomingMessage;
}

/** Headers about a connection, and those by which proxies tell what they know. */
const dropped: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-real-ip',
  'x-request-id',
]);
const droppedParts = ['scriptorium-', 'x-forwarded-'];

/**
 * Sends a request to a replica of integrations, and its body once the replica asks for it: what is refused by its head
 * costs no transfer, and another replica can be asked as long as none has answered.
 * @throws AppError `runtime_unavailable` when the replica cannot be reached, `too_large`, and its refusals
 */
export async function forwardToEndpoint(url: string, request: FastifyRequest, idleMs: number): Promise<EndpointAnswer> {
  const { hostname, port } = new URL(url);
  const hasBody = bodyIn(request);
  const outgoing = send({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    path: pathWithQuery(request.url),
    method: request.method,
    headers: {
      ...passed(request.headers),
      ...(hasBody ? { expect: '100-continue', 'transfer-encoding': 'chunked' } : {}),
      [endpointHost]: request.headers.host ?? '',
      'x-request-id': request.id,
    },
    // A connection that was kept might be closed by the replica at this very moment.
    agent: false,
    timeout: idleMs,
  });
  outgoing.on('timeout', () => outgoing.destroy(new AppError('integration_timeout')));
  request.raw.once('close', () => {
    if (!request.raw.complete) outgoing.destroy();
  });
  const response = await answered(outgoing, request, hasBody);
  if (response.headers[endpointRefused] !== undefined) throw await refusalIn(response);
  return { status: response.statusCode ?? 502, headers: backIn(response), body: response };
}

function bodyIn({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function pathWithQuery(url: string): string {
  const at = url.indexOf('?');
  return `${pathOf(url)}${at === -1 ? '' : url.slice(at)}`;
}

function isDropped(name: string, named: ReadonlySet<string>): boolean {
  return dropped.has(name) || named.has(name) || droppedParts.some((part) => name.startsWith(part));
}

/** The headers that `Connection` names belong to the connection, too. */
function namedBy(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
}

function passed(headers: IncomingMessage['headers']): OutgoingHttpHeaders {
  const named = namedBy(headers.connection);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !isDropped(name, named)));
}

function backIn({ headers }: IncomingMessage): EndpointAnswer['headers'] {
  const named = namedBy(headers.connection);
  const kept = Object.entries(headers).filter(
    (entry): entry is [string, string | string[]] =>
      entry[1] !== undefined && (entry[0] === 'content-length' || !isDropped(entry[0], named)),
  );
  return Object.fromEntries(kept);
}

function answered(outgoing: ClientRequest, { raw }: FastifyRequest, hasBody: boolean): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const body = atMost(endpointBounds.bodyBytes);
    body.on('error', (error) => outgoing.destroy(error));
    outgoing.once('response', (response) => {
      raw.unpipe(body);
      resolve(response);
    });
    // Destroying it later causes further errors, which change nothing.
    outgoing.on('error', (error) => reject(refusalOf(error)));
    if (!hasBody) outgoing.end();
    else {
      outgoing.once('continue', () => raw.pipe(body).pipe(outgoing));
      outgoing.flushHeaders();
    }
  });
}

function refusalOf(error: Error): AppError {
  if (error instanceof AppError) return error;
  return new AppError('runtime_unavailable', [], { cause: error, retryAfter: 1 });
}

function atMost(most: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(blaming('too_large', 'body'));
      else done(null, chunk);
    },
  });
}
