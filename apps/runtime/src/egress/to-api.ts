import { hostOf } from '@scriptorium/platform/outbound';
import { type ClientRequest, type IncomingMessage, request as plain, type ServerResponse } from 'node:http';
import { request as secure } from 'node:https';
import { pipeline } from 'node:stream/promises';
import { atMost } from '../http/body.js';
import { isOfConnection, passedOn } from '../http/hop-headers.js';
import { fail, type Outcome } from './answer.js';
import { type Asked, largestAnswer, withinMs } from './to-public.js';

/** The API of the installation, which scripts reach wherever it is. */
export interface ApiAddress {
  /** The origin in addresses that scripts know. */
  readonly origin: string;
  /** Where this process reaches it. */
  readonly url: URL;
}

/** Only proxies of the installation may say for whom they ask. */
const ofProxies = /^(forwarded|x-forwarded-.*|x-real-ip)$/;

/** Sends a request to the API, and passes on the answer as it arrives. */
export async function sendToApi(api: ApiAddress, asked: Asked, response: ServerResponse): Promise<Outcome> {
  const late = AbortSignal.timeout(withinMs);
  const signal = AbortSignal.any([asked.signal, late]);
  try {
    const answer = await headOf(begin(api, asked, signal));
    const { statusCode: status = 502 } = answer;
    for (const [name, value] of passedOn(answer.rawHeaders)) response.appendHeader(name, value);
    response.writeHead(status);
    await pipeline(answer, atMost(largestAnswer), response, { signal });
    return { status };
  } catch {
    return late.aborted
      ? fail(response, 504, `The API took longer than ${withinMs} ms`)
      : fail(response, 502, 'The API cannot be reached');
  }
}

function begin(api: ApiAddress, { url, method, headers, body }: Asked, signal: AbortSignal): ClientRequest {
  const kept = Object.entries(headers).filter(([name]) => !isOfConnection(name) && !ofProxies.test(name));
  const target = new URL(`${url.pathname}${url.search}`, api.url);
  const send = target.protocol === 'https:' ? secure : plain;
  const sent = send({
    hostname: hostOf(target),
    port: target.port,
    path: `${target.pathname}${target.search}`,
    method,
    headers: {
      ...Object.fromEntries(kept),
      host: url.host,
      ...(body === undefined ? {} : { 'content-length': body.length }),
    },
    signal,
  });
  sent.end(body);
  return sent;
}

function headOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('switched protocols'));
    });
    sent.on('error', reject);
  });
}
