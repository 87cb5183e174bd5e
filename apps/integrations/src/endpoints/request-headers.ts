import { endpointHost } from '@scriptorium/contracts';
import { isCallbackCookie } from './callback-cookie-name.js';

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

const dropped: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
]);
/** Tokens and sessions of the product, whoever has sent them here. */
const ownSecret = /scr_[a-z]{2,8}_/;

/** The headers of a request that a script gets. Pure. */
export function requestHeaders(headers: Headers): Record<string, string> {
  const host = headers[endpointHost];
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (value === undefined || dropped.has(name) || name.startsWith('scriptorium-')) return [];
    const text = typeof value === 'string' ? value : value.join(', ');
    if (name === 'cookie') return cookies(text);
    // A token for the API is not for the script of somebody else.
    return name === 'authorization' && ownSecret.test(text) ? [] : [[name, text]];
  });
  return Object.fromEntries([...(typeof host === 'string' ? [['host', host] as const] : []), ...kept]);
}

function cookies(text: string): [string, string][] {
  const kept = text.split(';').filter((one) => !isCallbackCookie(one.split('=', 1)[0] ?? '') && !ownSecret.test(one));
  const joined = kept
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join('; ');
  return joined === '' ? [] : [['cookie', joined]];
}

/**
 * The method as scripts know it: in lower case, but for PATCH, the only one that `Request` does not write in upper case
 * by itself. Pure.
 */
export function requestMethod(method: string): string {
  return method === 'PATCH' ? method : method.toLowerCase();
}
