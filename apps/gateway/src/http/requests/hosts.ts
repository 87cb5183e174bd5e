import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';
import { blaming, invalid, type AppError } from '@scriptorium/contracts';

/** The refusal of a request whose host name is not one of this installation; null for a request that is accepted. */
export type RefuseHost = (request: IncomingMessage) => AppError | null;

const form = /^(\[[\da-f:.]+\]|[\w.-]+?)\.?(?::\d{1,5})?$/i;
const hostsKept = 1_000;

/**
 * Accepts requests for the host of the public address, for the names in `allowed` (`.example.com` stands for its
 * subdomains, `*` for all names), for `localhost` and its subdomains, and for IP addresses. The owner of any other name
 * can let it resolve to this server, so that their pages could read its answers in browsers of this network (DNS
 * rebinding).
 */
export function createRefuseHost(publicUrl: string, allowed: readonly string[]): RefuseHost {
  const names = new Set(
    ['localhost', new URL(publicUrl).hostname, ...allowed.filter((name) => !name.startsWith('.'))].map(lower),
  );
  const suffixes = ['.localhost', ...allowed.filter((name) => name.startsWith('.'))].map(lower);
  const known = new Set<string>();
  /** `field`: the part of the request that has the name. */
  const refuse = (authority: string, field: string): AppError | null => {
    if (known.has(authority)) return null;
    const [, name] = form.exec(authority) ?? [];
    if (name === undefined) return invalid(field, 'Must be one host name, with or without a port');
    if (
      !names.has('*') &&
      !isAddress(name) &&
      !names.has(lower(name)) &&
      !suffixes.some((suffix) => lower(name).endsWith(suffix))
    ) {
      return blaming('misdirected', field, 'This host name is not allowed; the operator can add it to ALLOWED_HOSTS');
    }
    if (known.size < hostsKept) known.add(authority);
    return null;
  };
  return ({ headers: { host }, url = '/', httpVersionMajor, httpVersionMinor }) => {
    if (host === undefined)
      return httpVersionMajor === 1 && httpVersionMinor === 0
        ? null
        : invalid('headers.host', 'A Host header is required');
    // A request target in absolute form has a host of its own.
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
