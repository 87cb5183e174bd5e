import { AppError, invalid } from '@scriptorium/contracts';
import type { BlockList, Socket } from 'node:net';
import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { type AddressRule, addressRule } from './addresses.js';
import { type Exchange, readBody, send } from './exchange.js';
import type { OutboundRequest, OutboundResponse } from './outbound-request.js';
import { firstExchange, hostOf, notPublic, parseTarget, redirected } from './target.js';
import { type Network, openConnection, systemNetwork } from './network.js';

/** Sends requests to URLs that users give: webhooks, embeds, imports, logos. */
export interface Outbound {
  /**
   * Sends requests over http or https to public addresses and those that the installation allows. A name is resolved
   * once, and the connection uses a checked address. Each redirect is checked again.
   * @throws AppError `invalid_request` naming the field for an address that is refused, `bad_gateway` for every failure
   * of the other side, `unavailable` when too many requests are under way
   */
  fetch(request: OutboundRequest): Promise<OutboundResponse>;
  /**
   * Checks a URL without using the network, before it is stored.
   * @throws AppError `invalid_request` naming the field
   */
  check(url: string, field: string): void;
}

export interface OutboundOptions {
  /** Allowed networks in addition to public addresses. */
  readonly allowed: BlockList;
  readonly network?: Network;
  /** The most requests at the same time. */
  readonly atOnce?: number;
  /** Receives the outcome of each request: `ok` or a reason. */
  readonly observe?: (outcome: string) => void;
}

const mostRedirects = 5;
const defaultWithinMs = 10_000;
const defaultAtOnce = 64;

interface Way {
  readonly isAllowed: AddressRule;
  readonly network: Network;
}

export function createOutbound({
  allowed,
  network = systemNetwork,
  atOnce = defaultAtOnce,
  observe = () => undefined,
}: OutboundOptions): Outbound {
  const way: Way = { isAllowed: addressRule(allowed), network };
  let underWay = 0;
  return {
    async fetch(request) {
      if (underWay >= atOnce)
        throw new AppError('unavailable', [], { message: 'Too many outgoing requests are under way', retryAfter: 1 });
      underWay += 1;
      try {
        const response = await fetchWithin(way, request);
        observe('ok');
        return response;
      } catch (error) {
        observe(error instanceof AppError ? error.reason : 'unexpected');
        throw error;
      } finally {
        underWay -= 1;
      }
    },
    check: (url, field) => void parseTarget(way.isAllowed, url, (message) => invalid(field, message)),
  };
}

async function fetchWithin(way: Way, request: OutboundRequest): Promise<OutboundResponse> {
  const exchange = firstExchange(way.isAllowed, request);
  const over = new AbortController();
  const ms = request.withinMs ?? defaultWithinMs;
  const late = setTimeout(
    () => over.abort(new AppError('bad_gateway', [], { message: `The other side took longer than ${ms} ms` })),
    ms,
  );
  const stop = (): void => over.abort(new AppError('unavailable'));
  request.signal?.addEventListener('abort', stop, { once: true });
  if (request.signal?.aborted === true) stop();
  try {
    return await Promise.race([follow(way, request, exchange, over.signal), aborted(over.signal)]);
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : asAppError(error);
  } finally {
    clearTimeout(late);
    request.signal?.removeEventListener('abort', stop);
  }
}

/** Sends the request and follows redirects. */
async function follow(
  way: Way,
  request: OutboundRequest,
  first: Exchange,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const most = Math.min(request.redirects ?? mostRedirects, mostRedirects);
  let exchange = first;
  for (let redirects = 0; ; redirects += 1) {
    const refuse = (message: string): AppError =>
      redirects === 0
        ? invalid(request.field, message)
        : new AppError('bad_gateway', [], { message: 'The other side redirects to an address that is not allowed' });
    const socket = await connectTo(way, exchange.url, refuse, signal);
    const destroy = (): void => void socket.destroy();
    signal.addEventListener('abort', destroy, { once: true });
    try {
      const response = await send(socket, exchange);
      const next = most === 0 ? undefined : redirected(way.isAllowed, exchange, response);
      if (next === undefined) return await answerOf(request, exchange, response, signal);
      if (redirects >= most)
        throw new AppError('bad_gateway', [], { message: `The other side redirects more than ${most} times` });
      exchange = next;
    } finally {
      signal.removeEventListener('abort', destroy);
      destroy();
    }
  }
}

async function connectTo(
  { isAllowed, network }: Way,
  url: URL,
  refuse: (message: string) => AppError,
  signal: AbortSignal,
): Promise<Socket> {
  const host = hostOf(url);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const addresses = isIP(host) === 0 ? await resolve(network, host, signal) : [host];
  // A name with any refused address is refused: a public address may be there only to pass the check.
  if (!addresses.every(isAllowed)) throw refuse(notPublic);
  return openConnection(network, { url, host, port, addresses }, signal);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

async function resolve(network: Network, host: string, signal: AbortSignal): Promise<string[]> {
  const addresses = await Promise.race([network.resolve(host, signal), aborted(signal)]);
  if (addresses.length === 0) throw new AppError('bad_gateway', [], { message: 'The name of the host was not found' });
  return addresses;
}

async function answerOf(
  { accept, maxBytes }: OutboundRequest,
  { url, method }: Exchange,
  response: IncomingMessage,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { statusCode: status = 0, headers } = response;
  const contentType = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (accept !== undefined && status >= 200 && status < 300 && !accept.some((type) => matches(type, contentType)))
    throw new AppError('bad_gateway', [], { message: `The answer is none of ${accept.join(', ')}` });
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304 && headers['content-length'] !== '0';
  if (hasBody && Number(headers['content-length']) > maxBytes)
    throw new AppError('bad_gateway', [], { message: `The answer is larger than ${maxBytes} bytes` });
  const body = hasBody ? await readBody(response, maxBytes, signal) : Buffer.alloc(0);
  const plain = Object.entries(headers).filter(([name]) => name !== 'set-cookie' && name !== 'set-cookie2');
  return { status, url: url.href, headers: Object.fromEntries(plain) as Record<string, string>, contentType, body };
}

function matches(type: string, given: string): boolean {
  return type.endsWith('/*') ? given.startsWith(type.slice(0, -1)) : given === type;
}

/** Turns any failure into `bad_gateway`. Only the error code is shown, which contains no address. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code } = error as { code?: unknown };
  const what = typeof code === 'string' ? ` (${code})` : '';
  return new AppError('bad_gateway', [], { message: `The other side cannot be reached, or answers no HTTP${what}` });
}
