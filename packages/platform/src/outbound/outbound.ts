import { AppError, invalid } from '@scriptorium/contracts';
import type { BlockList, Socket } from 'node:net';
import { isIP } from 'node:net';
import { type AddressRule, addressRule } from './addresses.js';
import { headOf, type OpenAnswer, type ReadAnswer, wholeAnswer } from './answer.js';
import { send, type TakeBody, takeBody } from './exchange.js';
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
   * What `take` makes of the body of a successful answer, which it gets as it arrives: for what is too large for the
   * memory. Errors of `take` are thrown as they are.
   * @throws AppError as `fetch` does; `bad_gateway` also for an answer that is not 2xx
   */
  download<T>(request: OutboundRequest, take: TakeBody<T>): Promise<T>;
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
  const counted = async <T>(send: () => Promise<T>): Promise<T> => {
    if (underWay >= atOnce)
      throw new AppError('unavailable', [], { message: 'Too many outgoing requests are under way', retryAfter: 1 });
    underWay += 1;
    try {
      const answer = await send();
      observe('ok');
      return answer;
    } catch (error) {
      observe(error instanceof AppError ? error.reason : 'unexpected');
      throw error;
    } finally {
      underWay -= 1;
    }
  };
  return {
    fetch: (request) => counted(() => fetchWithin(way, request, wholeAnswer)),
    download: (request, take) => counted(() => download(way, request, take)),
    check: (url, field) => void parseTarget(way.isAllowed, url, (message) => invalid(field, message)),
  };
}

async function download<T>(way: Way, request: OutboundRequest, take: TakeBody<T>): Promise<T> {
  let failed: { readonly error: unknown } | undefined;
  const noting: TakeBody<T> = async (body) => {
    try {
      return await take(body);
    } catch (error) {
      failed = { error };
      throw error;
    }
  };
  try {
    return await fetchWithin(way, request, async (answer) => {
      const { status } = headOf(answer);
      if (status < 200 || status > 299)
        throw new AppError('bad_gateway', [], { message: `The other side answered ${status}` });
      return takeBody(answer.response, { maxBytes: request.maxBytes, signal: answer.signal }, noting);
    });
  } catch (error) {
    // An error of `take` was taken for one of the other side.
    throw failed !== undefined && (error as Error).cause === failed.error ? failed.error : error;
  }
}

async function fetchWithin<R>(way: Way, request: OutboundRequest, read: ReadAnswer<R>): Promise<R> {
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
    return await Promise.race([follow(way, { request, exchange, signal: over.signal }, read), aborted(over.signal)]);
  } catch (error) {
    throw over.signal.aborted ? over.signal.reason : asAppError(error);
  } finally {
    clearTimeout(late);
    request.signal?.removeEventListener('abort', stop);
  }
}

/** Sends the request and follows redirects. */
async function follow<R>(
  way: Way,
  { request, exchange: first, signal }: Omit<OpenAnswer, 'response'>,
  read: ReadAnswer<R>,
): Promise<R> {
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
      if (next === undefined) return await read({ request, exchange, response, signal });
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

/** Turns any failure into `bad_gateway`. Only the error code is shown, which contains no address. */
function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { code } = error as { code?: unknown };
  const what = typeof code === 'string' ? ` (${code})` : '';
  const message = `The other side cannot be reached, or answers no HTTP${what}`;
  return new AppError('bad_gateway', [], { message, cause: error });
}
