import { AppError } from '@scriptorium/contracts';
import type { Outbound, OutboundRequest, OutboundResponse } from '@scriptorium/platform';
import type { ServerResponse } from 'node:http';
import { isOfConnection } from '../http/hop-headers.js';
import { fail, type Outcome, refuse } from './answer.js';

/** A request of a script, with its whole body. */
export interface Asked {
  readonly url: URL;
  readonly method: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer | undefined;
  readonly signal: AbortSignal;
}

export const largestAnswer = 10 * 1024 * 1024;
export const withinMs = 10_000;

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];
const isMethod = (text: string): text is Method => (methods as readonly string[]).includes(text);

/** Headers that the guarded client sets itself or does not send. */
const notSent = /^(cookie|user-agent|accept-encoding|x-scriptorium-.*)$/;

/** Sends a request to a public address. A redirect is an answer: the engine follows it by a request of its own. */
export async function sendToPublic(outbound: Outbound, asked: Asked, response: ServerResponse): Promise<Outcome> {
  const { method, body, signal } = asked;
  if (!isMethod(method)) return refuse(response, 'method', `Requests with ${method} are not sent`);
  const request: OutboundRequest = {
    url: asked.url.href,
    field: 'url',
    method,
    headers: sentHeaders(asked.headers),
    maxBytes: largestAnswer,
    withinMs,
    redirects: 0,
    signal,
    ...(body === undefined ? {} : { body }),
  };
  try {
    return pass(await outbound.fetch(request), response);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.reason === 'invalid_request') return refuse(response, 'address', error.message);
    if (error.reason === 'unavailable') return refuse(response, 'rate', error.message);
    return fail(response, 502, error.message);
  }
}

function sentHeaders(given: Asked['headers']): Record<string, string> {
  const kept = Object.entries(given).flatMap(([name, value]) =>
    value === undefined || isOfConnection(name) || notSent.test(name)
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

function pass({ status, headers, body }: OutboundResponse, response: ServerResponse): Outcome {
  for (const [name, value] of Object.entries(headers))
    // The body was decoded.
    if (!isOfConnection(name) && name !== 'content-encoding') response.setHeader(name, value);
  response.writeHead(status).end(body);
  return { status };
}
