import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { blaming, type AppError } from '@scriptorium/contracts';

/** The refusal of a request that was sent to a name under which this installation is not known; null where it is. */
export type RefuseHost = (request: IncomingMessage) => AppError | null;

const form = /^(\[[\da-f:.]+\]|[\w.-]+?)\.?(?::\d{1,5})?$/i;
const hostsKept = 1_000;

/**
 * Lets requests in that were sent to the host of the public address, to one of `allowed` (`.example.com` stands for its
 * subdomains, `*` for all), to `localhost` and its subdomains, or to an address in numbers. All other names may have been
 * pointed here by whoever owns them, to have the browsers of this network read what is answered to them (DNS rebinding);
 * an address cannot be pointed anywhere.
 */
export function createRefuseHost(publicUrl: string, allowed: readonly string[]): RefuseHost {
  const names = new Set(['localhost', new URL(publicUrl).hostname, ...allowed.filter((name) => !name.startsWith('.'))].map(lower));
  const suffixes = ['.localhost', ...allowed.filter((name) => name.startsWith('.'))].map(lower);
  const known = new Set<string>();
  /** `field`: where it stands. */
  const refuse = (authority: string, field: string): AppError | null => {
    if (known.has(authority)) return null;
    const [, name] = form.exec(authority) ?? [];
    if (name === undefined) return blaming('invalid_request', field, 'The request does not name one host');
    if (!names.has('*') && !isAddress(name) && !names.has(lower(name)) && !suffixes.some((suffix) => lower(name).endsWith(suffix))) {
      return blaming('misdirected', field, 'This installation is not known by the name that the request was sent to');
    }
    if (known.size < hostsKept) known.add(authority);
    return null;
  };
  return ({ headers: { host }, url = '/', httpVersionMajor, httpVersionMinor }) => {
    if (host === undefined) return httpVersionMajor === 1 && httpVersionMinor === 0 ? null : blaming('invalid_request', 'headers.host', 'The Host header is missing');
    // A target in absolute form names its host itself.
    const [, authority] = url.startsWith('/') ? [] : (/^https?:\/\/([^/?#]*)/i.exec(url) ?? []);
    return refuse(host, 'headers.host') ?? (authority === undefined ? null : refuse(authority, 'url'));
  };
}

function lower(name: string): string {
  return name.toLowerCase();
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
