import type { Outbound } from '@scriptorium/platform';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { readBody } from '../http/body.js';
import { close, listen } from '../http/listen.js';
import { fail, type Outcome, refuse, refusedHeader } from './answer.js';
import { createGate, type Gate } from './gate.js';
import { type ApiAddress, sendToApi } from './to-api.js';
import { sendToPublic } from './to-public.js';

/** A request that a script has sent, for its trace. */
export interface OutgoingRequest extends Outcome {
  method: string;
  host: string;
}

export interface EgressOptions {
  /** The socket at which one process of a script, and nobody else, sends its requests. */
  path: string;
  api: ApiAddress;
  /** Sends to public addresses. Processes have one each, so that none takes the places of others. */
  outbound: Outbound;
  observe: (request: OutgoingRequest) => void;
}

export interface Egress {
  close(): Promise<void>;
}

export const requestsAtOnce = 20;
const requestsPerSecond = 200;
const mostWaiting = 100;
const largestBody = 10 * 1024 * 1024;
const bodyWithinMs = 20_000;

/** The only way out of a process of a script: a proxy that looks at each request. */
export async function startEgress({ path, api, outbound, observe }: EgressOptions): Promise<Egress> {
  const gate = createGate({ perSecond: requestsPerSecond, atOnce: requestsAtOnce, waiting: mostWaiting });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET' } = request;
    const url = targetOf(request.url);
    const outcome =
      url === undefined
        ? refuse(response, 'address', 'Must be an absolute URL that begins with http:// or https://')
        : await send({ url, api, outbound, gate }, request, response);
    observe({ method: method.slice(0, 20), host: url?.host.slice(0, 255) ?? '', ...outcome });
  };
  // The engine sends no Host with the absolute URLs that proxies get.
  const server = createServer({ requireHostHeader: false, requestTimeout: bodyWithinMs }, (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const refuseSwitch = (request: IncomingMessage, socket: Duplex): void => {
    socket.on('error', () => undefined);
    const message = 'Only HTTP requests are sent\n';
    const lines = ['HTTP/1.1 403 Forbidden', `${refusedHeader}: protocol`, `content-length: ${message.length}`];
    socket.end([...lines, 'content-type: text/plain', 'connection: close', '', message].join('\r\n'));
    const host = targetOf(request.url)?.host ?? request.url ?? '';
    observe({
      method: (request.method ?? '').slice(0, 20),
      host: host.slice(0, 255),
      status: 403,
      refused: 'protocol',
    });
  };
  server.on('connect', refuseSwitch);
  server.on('upgrade', refuseSwitch);
  await listen(server, { path });
  return { close: () => close(server) };
}

interface Way extends Pick<EgressOptions, 'api' | 'outbound'> {
  url: URL;
  gate: Gate;
}

async function send({ url, api, outbound, gate }: Way, request: IncomingMessage, response: ServerResponse) {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('The script has not waited')));
  const leave = await gate.enter(gone.signal);
  if (leave === undefined)
    return refuse(response, 'rate', `At most ${requestsPerSecond} requests a second, ${mostWaiting} waiting`);
  try {
    const body = hasBody(request) ? await readBody(request, largestBody) : null;
    if (body === undefined) return refuse(response, 'size', `The body is larger than ${largestBody} bytes`);
    const { method = 'GET', headers } = request;
    const asked = { url, method, headers, body: body ?? undefined, signal: gone.signal };
    return await (url.origin === api.origin
      ? sendToApi(api, asked, response)
      : sendToPublic(outbound, asked, response));
  } catch {
    return fail(response, 502, 'The request could not be sent');
  } finally {
    leave();
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function targetOf(text = ''): URL | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
}
