import { request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import { AppError } from '@scriptorium/contracts';
import type { FastifyRequest } from 'fastify';
import { refusalIn } from '../services/byte-servers.js';

/** What a replica answered. Its body has to be read to its end or destroyed. */
export interface TransferAnswer {
  status: number;
  headers: Record<string, string>;
  body: IncomingMessage;
}

/** Request headers that a replica needs. */
const passedOn = [
  'content-digest',
  'content-encoding',
  'content-length',
  'if-none-match',
  'if-range',
  'range',
] as const;

const passedBack = [
  'accept-ranges',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'content-disposition',
  'content-length',
  'content-range',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'etag',
  'x-content-type-options',
] as const;

/**
 * Sends a request to a replica, and its bytes once the replica asks for them. So what is refused by its head costs no
 * transfer, and another replica can be asked as long as none has answered.
 * @throws AppError `unavailable` when the replica cannot be reached, and its refusals
 */
export async function transfer(url: string, request: FastifyRequest, idleTimeoutMs: number): Promise<TransferAnswer> {
  const outgoing = send(new URL(request.url, url), {
    method: request.method,
    headers: { ...picked(request.headers, passedOn), ...expectation(request), 'x-request-id': request.id },
    // A connection that was kept might be closed by the replica at this very moment.
    agent: false,
    timeout: idleTimeoutMs,
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error('No byte was moved')));
  request.raw.once('close', () => {
    if (!request.raw.complete) outgoing.destroy();
  });
  const response = await answered(outgoing, request);
  const { statusCode: status = 502 } = response;
  if (status >= 400 && status !== 416) throw await refusalIn(response);
  return { status, headers: picked(response.headers, passedBack), body: response };
}

function expectation({ method }: FastifyRequest): Record<string, string> {
  return method === 'PUT' ? { expect: '100-continue' } : {};
}

function picked(headers: IncomingMessage['headers'], names: readonly string[]): Record<string, string> {
  const found = names.map((name) => [name, headers[name]]);
  return Object.fromEntries(found.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function answered(outgoing: ClientRequest, { method, raw }: FastifyRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', (response) => {
      raw.unpipe(outgoing);
      resolve(response);
    });
    // Destroying it later causes further errors, which change nothing.
    outgoing.on('error', (error) =>
      reject(new AppError('unavailable', [], { message: 'The files cannot be reached', cause: error, retryAfter: 1 })),
    );
    if (method !== 'PUT') outgoing.end();
    else {
      outgoing.once('continue', () => raw.pipe(outgoing));
      outgoing.flushHeaders();
    }
  });
}
