import type { SiteSettings } from './settings.js';

/** Where sites are published. */
export interface PublishingPlace {
  /** Domain below which sites are published. */
  domain: string;
  /** The scheme of the product's own addresses. */
  scheme: string;
}

type Addressed = Pick<SiteSettings, 'basename' | 'proxy' | 'hostname' | 'isHostnameVerified'>;

/** The address below the hostname of the organization, without a slash at its end. */
export function internalAddress(
  { domain, scheme }: PublishingPlace,
  organizationHostname: string,
  { basename }: Pick<SiteSettings, 'basename'>,
): string {
  return `${scheme}//${organizationHostname}.${domain}/${basename}`;
}

/** The address of a site, with a slash at its end. A proxy is before a hostname of its own, and that before that of the organization. */
export function siteAddress(place: PublishingPlace, organizationHostname: string, site: Addressed): string {
  if (site.proxy !== null) return `https://${site.proxy}/`;
  if (site.hostname !== null && site.isHostnameVerified) return `${place.scheme}//${site.hostname}/`;
  return `${internalAddress(place, organizationHostname, site)}/`;
}
