import { partsOfPath } from '@scriptorium/contracts';
import type { SiteSettings } from '../site/settings.js';

/** Where sites are published. */
export interface PublishingPlace {
  /** Domain below which sites are published. */
  domain: string;
  /** The scheme of the product's own addresses. */
  scheme: string;
  /**
   * Where the reader shows sites by their ids, without a slash at its end; `undefined` where sites have addresses below
   * the domain.
   */
  origin?: string | undefined;
}

type Addressed = Pick<SiteSettings, 'basename' | 'proxy' | 'hostname' | 'isHostnameVerified'> & { _id: string };

/** The address that a site has without a hostname of its own or a proxy, without a slash at its end. */
export function internalAddress(
  { domain, scheme, origin }: PublishingPlace,
  organizationHostname: string,
  { _id: id, basename }: Pick<Addressed, '_id' | 'basename'>,
): string {
  return origin === undefined ? `${scheme}//${organizationHostname}.${domain}/${basename}` : `${origin}/~site/${id}`;
}

/**
 * The address of a site, with a slash at its end. A proxy is before a hostname of its own, and that before the internal
 * address.
 */
export function siteAddress(place: PublishingPlace, organizationHostname: string, site: Addressed): string {
  if (site.proxy !== null) return `https://${site.proxy}/`;
  if (site.hostname !== null && site.isHostnameVerified) return `${place.scheme}//${site.hostname}/`;
  return `${internalAddress(place, organizationHostname, site)}/`;
}

/**
 * The parts of the path of an address behind that of a site; `undefined` for one that is not on it. Ports do not count.
 * Pure.
 */
export function partsOnSite(address: string, url: URL): string[] | undefined {
  const base = new URL(address);
  const [above, parts] = [partsOfPath(base.pathname), partsOfPath(url.pathname)];
  if (above === undefined || parts === undefined || base.hostname !== url.hostname.toLowerCase()) return undefined;
  return above.every((part, index) => part === parts[index]) ? parts.slice(above.length) : undefined;
}
