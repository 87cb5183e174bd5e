import { AppError } from '@scriptorium/contracts';
import type { IncomingMessage } from 'node:http';
import { type Exchange, gather, takeBeginning, takeBody } from './exchange.js';
import type { OutboundHead, OutboundRequest, OutboundResponse } from './outbound-request.js';

/** What is made of an answer while its connection is open. */
export type ReadAnswer<R> = (answer: OpenAnswer) => Promise<R>;

/** An answer whose connection is open. */
export interface OpenAnswer {
  request: OutboundRequest;
  exchange: Exchange;
  response: IncomingMessage;
  signal: AbortSignal;
}

/** The head of an answer that may have a body. @throws AppError `bad_gateway` for another type, or too many bytes */
export function headOf({ request: { accept, maxBytes }, exchange: { url }, response }: OpenAnswer): OutboundHead {
  const { statusCode: status = 0, headers } = response;
  const contentType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (accept !== undefined && status >= 200 && status < 300 && !accept.some((type) => matches(type, contentType)))
    throw new AppError('bad_gateway', [], { message: `The answer is none of ${accept.join(', ')}` });
  if (Number(headers['content-length']) > maxBytes)
    throw new AppError('bad_gateway', [], { message: `The answer is larger than ${maxBytes} bytes` });
  const plain = Object.entries(headers).filter(([name]) => name !== 'set-cookie' && name !== 'set-cookie2');
  return { status, url: url.href, headers: Object.fromEntries(plain) as Record<string, string>, contentType };
}

export async function wholeAnswer(answer: OpenAnswer): Promise<OutboundResponse> {
  const { request, exchange, response, signal } = answer;
  const { statusCode: status = 0, headers } = response;
  const hasBody = exchange.method !== 'HEAD' && status !== 204 && status !== 304 && headers['content-length'] !== '0';
  const isCut = request.cuts === true;
  const { maxBytes } = request;
  const head = headOf({ ...answer, request: { ...request, maxBytes: hasBody && !isCut ? maxBytes : Infinity } });
  if (!hasBody) return { ...head, body: Buffer.alloc(0) };
  const limits = { maxBytes, signal };
  const body = isCut ? await takeBeginning(response, limits) : await takeBody(response, limits, gather);
  return { ...head, body };
}

function matches(type: string, given: string): boolean {
  return type.endsWith('/*') ? given.startsWith(type.slice(0, -1)) : given === type;
}
