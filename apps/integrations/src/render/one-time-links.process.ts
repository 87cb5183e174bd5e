import type { RenderOutput } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { Addresses } from '../addresses/index.js';
import { oneTimeAddress } from '../endpoints/index.js';
import type { FoundInstallation } from '../installations/index.js';

type Element = Extract<RenderOutput, { type: 'element' }>['element'];

/** What has an address that is opened when somebody presses it. */
interface Link {
  url: string | AddressParts;
}

/** An address in parts. */
interface AddressParts {
  host: string;
  pathname: string;
  query?: Record<string, unknown>;
}

/** Those of one component; others stay as they are. */
const mostLinks = 20;

/**
 * The element, in which addresses that lead to the script of the integration itself are one-time addresses: a login
 * that begins there is one that this browser has begun. Only for whoever may configure the installation.
 */
export async function withOneTimeLinks<E extends Element>(
  scope: Pick<Scope, 'database' | 'now' | 'store'>,
  addresses: Addresses,
  found: FoundInstallation,
  element: E,
): Promise<E> {
  const { name } = found.integration;
  const own = [addresses.endpoints(name), addresses.endpoints(name, { installation: found.installation._id })];
  const begins = own.map(({ publicEndpoint }) => publicEndpoint);
  const copy = structuredClone(element);
  const links = linksIn(copy).flatMap((link) => {
    const to = begins.map((begin) => addressBelow(link.url, begin)).find((address) => address !== undefined);
    return to === undefined ? [] : [{ link, to }];
  });
  for (const { link, to } of links.slice(0, mostLinks))
    link.url = await oneTimeAddress(scope, addresses, { ...found, to });
  return copy;
}

/** Buttons and others that open an address, and links. */
function linksIn(value: unknown): Link[] {
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.values(value).flatMap(linksIn);
  if ('action' in value && value.action === '@ui.url.open' && isLink(value)) return [value, ...parts];
  if ('type' in value && value.type === 'link' && 'target' in value && isLink(value.target))
    return [value.target, ...parts];
  return parts;
}

function isLink(value: unknown): value is Link {
  if (typeof value !== 'object' || value === null || !('url' in value)) return false;
  const { url } = value;
  return typeof url === 'string' || (typeof url === 'object' && url !== null && 'host' in url && 'pathname' in url);
}

/**
 * An address as text when it is below `begin`. Parts have no scheme: it is that of `begin`. What a person enters is not
 * in them yet, so that such an address stays as it is.
 */
function addressBelow(given: Link['url'], begin: string): string | undefined {
  const url = typeof given === 'string' ? given : joined(given, begin);
  const rest = url === undefined ? undefined : URL.parse(url)?.href;
  return rest?.startsWith(begin) === true && /^([/?#]|$)/.test(rest.slice(begin.length)) ? url : undefined;
}

function joined({ host, pathname, query = {} }: AddressParts, begin: string): string | undefined {
  const values = Object.entries(query);
  if (!values.every((one): one is [string, string] => typeof one[1] === 'string')) return undefined;
  const search = values.length === 0 ? '' : `?${String(new URLSearchParams(values))}`;
  return `${new URL(begin).protocol}//${host}/${pathname.replace(/^\//, '')}${search}`;
}
