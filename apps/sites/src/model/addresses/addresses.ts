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

/** The settings that say where this installation publishes sites, and where it is itself. */
interface PublishingSettings {
  domain: string;
  /** Where the reader shows sites by their ids. */
  origin?: string | undefined;
  appUrl: string;
  apiUrl: string;
}

/** Where this installation publishes sites, for controllers and queries. */
export class Publishing {
  readonly place: PublishingPlace;
  /** Hosts at which `/~site/<id>/` leads to a site. */
  readonly #showing: ReadonlySet<string>;
  readonly #own: ReadonlySet<string>;
  readonly #appUrl: string;

  constructor({ domain, origin, appUrl, apiUrl }: PublishingSettings) {
    // Nobody has certificates for names below `localhost`.
    const isLocal = domain === 'localhost' || domain.endsWith('.localhost');
    const scheme = isLocal ? new URL(appUrl).protocol : 'https:';
    this.#appUrl = appUrl;
    this.place = { domain, scheme, origin: origin?.replace(/\/$/, '') };
    this.#showing = new Set([appUrl, ...(origin === undefined ? [] : [origin])].map(hostOf));
    this.#own = new Set([...this.#showing, hostOf(apiUrl)]);
  }

  /** Whether `/~site/<id>/` of this host leads to a site. Ports do not count. */
  showsById(host: string): boolean {
    return this.#showing.has(host);
  }

  /**
   * The path on a site to which one of its addresses leads; `undefined` for any other address. `hostname`: that of its
   * organization.
   */
  pathOn(site: Parameters<typeof siteAddress>[2], hostname: string, url: string): string | undefined {
    const { place } = this;
    const below = { ...place, origin: undefined };
    const addresses = [
      siteAddress(place, hostname, site),
      siteAddress(place, hostname, { ...site, proxy: null }),
      internalAddress(place, hostname, site),
      internalAddress(below, hostname, site),
      internalAddress({ ...place, origin: new URL(this.#appUrl).origin }, hostname, site),
    ];
    const asked = new URL(url);
    const parts = addresses.map((address) => partsOnSite(address, asked)).find((one) => one !== undefined);
    return parts && `/${parts.join('/')}`;
  }

  /**
   * Whether a host is that of this installation, or one below which it publishes sites: no site can have it for itself.
   */
  isOwnHost(host: string): boolean {
    const { domain } = this.place;
    return this.#own.has(host) || host === domain || host.endsWith(`.${domain}`);
  }
}

function hostOf(url: string): string {
  return new URL(url).hostname.toLowerCase();
}
