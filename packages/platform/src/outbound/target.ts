import { AppError, invalid } from '@scriptorium/contracts';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { AddressRule } from './addresses.js';
import { isLocalName } from './network.js';
import type { Exchange } from './exchange.js';
import type { OutboundRequest } from './outbound-request.js';

const longestUrl = 2048;
export const notPublic = 'Must lead to a public address';

/**
 * Parses a URL of a user or a redirect.
 * @throws what `refuse` returns for the reason
 */
export function parseTarget(
  isAllowed: AddressRule,
  text: string,
  refuse: (message: string) => AppError,
  base?: URL,
): URL {
  if (text.length > longestUrl) throw refuse(`Must have at most ${longestUrl} characters`);
  if (!URL.canParse(text, base?.href)) throw refuse('Must be an absolute URL');
  const url = new URL(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('Must begin with http:// or https://');
  if (url.username !== '' || url.password !== '') throw refuse('Must not contain a user name or a password');
  const host = hostOf(url);
  const address = isLocalName(host) ? '127.0.0.1' : host;
  if (host === '' || (isIP(address) !== 0 && !isAllowed(address))) throw refuse(notPublic);
  url.hash = '';
  return url;
}

/** The URL parser has turned all forms of numbers into addresses: `0x7f.1` is `127.0.0.1`. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Headers that the client itself sets; callers cannot give them. */
const own =
  /^(host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|cookie|user-agent|accept-encoding|proxy-.*)$/;

/** @throws AppError `invalid_request` naming the field */
export function firstExchange(
  isAllowed: AddressRule,
  { url, field, method = 'GET', headers = {}, body, accept }: OutboundRequest,
): Exchange {
  const taken = Object.keys(headers).find((name) => name !== name.toLowerCase() || own.test(name));
  if (taken !== undefined) throw new Error(`The header ${taken} cannot be given`);
  return {
    url: parseTarget(isAllowed, url, (message) => invalid(field, message)),
    method,
    headers: { accept: accept?.join(', ') ?? '*/*', ...headers },
    body: typeof body === 'string' ? Buffer.from(body) : body,
  };
}

/**
 * The request for a redirect, or `undefined` when the answer is none. Another origin gets none of the caller's headers.
 */
export function redirected(
  isAllowed: AddressRule,
  { url, method, headers, body }: Exchange,
  response: IncomingMessage,
): Exchange | undefined {
  const { statusCode = 0, headers: given } = response;
  if (![301, 302, 303, 307, 308].includes(statusCode) || given.location === undefined) return undefined;
  const refuse = (): AppError =>
    new AppError('bad_gateway', [], { message: 'The other side redirects to an address that is not allowed' });
  const next = parseTarget(isAllowed, given.location, refuse, url);
  const kept = next.origin === url.origin ? headers : pick(headers, ['accept', 'content-type']);
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead || !(statusCode === 303 || (statusCode <= 302 && method === 'POST')))
    return { url: next, method, headers: kept, body };
  const { 'content-type': _, ...others } = kept;
  return { url: next, method: 'GET', headers: others, body: undefined };
}

function pick(headers: Exchange['headers'], names: readonly string[]): Exchange['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
}
