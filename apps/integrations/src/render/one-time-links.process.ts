import type { RenderOutput } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import type { Addresses } from '../addresses/index.js';
import { oneTimeAddress } from '../endpoints/index.js';
import type { FoundInstallation } from '../installations/index.js';

type Element = Extract<RenderOutput, { type: 'element' }>['element'];

/** What has an address that is opened when somebody presses it. */
interface Link {
  url: string;
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
  const links = linksIn(copy).filter(({ url }) => begins.some((begin) => isBelow(url, begin)));
  for (const link of links.slice(0, mostLinks))
    link.url = await oneTimeAddress(scope, addresses, { ...found, to: link.url });
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
  return typeof value === 'object' && value !== null && 'url' in value && typeof value.url === 'string';
}

function isBelow(url: string, begin: string): boolean {
  const rest = URL.parse(url)?.href;
  return rest?.startsWith(begin) === true && /^([/?#]|$)/.test(rest.slice(begin.length));
}
