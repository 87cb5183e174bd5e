import { organizationFacts } from '@scriptorium/access';
import { mostPathParts, partsOfPath } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { sites, type Publishing, type SiteDocument } from '../../model/index.js';
import type { AddressCache, NamedSite } from './address-cache.process.js';

/** A site that an address leads to, and what of its path follows. */
export interface FoundSite {
  site: Stored<SiteDocument>;
  /** The hostname of its organization. */
  hostname: string;
  /** The parts of the path that name the site. */
  base: string[];
  rest: string[];
  /** Whether no longer path names another site. */
  isComplete: boolean;
}

/** The site at an address; ports do not count. `undefined` when there is none. */
export async function findSite(
  scope: Pick<Scope, 'store'>,
  cache: AddressCache,
  publishing: Publishing,
  url: URL,
): Promise<FoundSite | undefined> {
  const parts = partsOfPath(url.pathname);
  if (parts === undefined) return undefined;
  const named = await siteNamedBy(scope, cache, publishing, { host: url.hostname.toLowerCase(), parts });
  if (named === null) return undefined;
  const site = await scope.store.read(sites).byId(named.id);
  if (site?.isAdded !== true) return undefined;
  const facts = await scope.store.read(organizationFacts).byId(site.organization);
  if (facts === null || facts.deleted) return undefined;
  const { taken, isComplete = true } = named;
  return { site, hostname: facts.hostname, base: parts.slice(0, taken), rest: parts.slice(taken), isComplete };
}

interface Address {
  host: string;
  parts: readonly string[];
}

async function siteNamedBy(
  scope: Pick<Scope, 'store'>,
  cache: AddressCache,
  publishing: Publishing,
  { host, parts }: Address,
): Promise<NamedSite | null> {
  const [first = '', second = ''] = parts;
  const { domain } = publishing.place;
  if (first === '~site' && publishing.showsById(host))
    return /^[\w-]{1,128}$/.test(second) ? { id: second, taken: 2 } : null;
  const hostname = host.endsWith(`.${domain}`) ? host.slice(0, -domain.length - 1) : undefined;
  const withBasename =
    hostname === undefined || first === ''
      ? null
      : await cache.site(`basename ${hostname} ${first}`, () => findByBasename(scope, hostname, first));
  return (
    withBasename ??
    (await cache.site(`hostname ${host}`, () => findByHostname(scope, host))) ??
    (await cache.site(`proxy ${host}/${parts.join('/')}`, () => findBehindProxy(scope, { host, parts })))
  );
}

async function findByBasename(
  { store }: Pick<Scope, 'store'>,
  hostname: string,
  basename: string,
): Promise<NamedSite | null> {
  const facts = await store.read(organizationFacts).findOne({ hostname, deleted: false });
  if (facts === null) return null;
  const site = await store.read(sites).findOne({ organization: facts._id, basename, isAdded: true });
  return site === null ? null : { id: site._id, taken: 1 };
}

async function findByHostname({ store }: Pick<Scope, 'store'>, hostname: string): Promise<NamedSite | null> {
  const site = await store.read(sites).findOne({ hostname, isHostnameVerified: true });
  return site === null ? null : { id: site._id, taken: 0 };
}

/** A proxy has the site under a host and a path of its own. */
async function findBehindProxy({ store }: Pick<Scope, 'store'>, { host, parts }: Address): Promise<NamedSite | null> {
  const proxies = parts.map((_, index) => `${host}/${parts.slice(0, index + 1).join('/')}`);
  if (proxies.length === 0) return null;
  const found = await store
    .read(sites)
    .find({ proxy: { $in: proxies } })
    .limit(mostPathParts)
    .toArray();
  const [longest] = found.sort((a, b) => (b.proxy ?? '').length - (a.proxy ?? '').length);
  if (longest === undefined) return null;
  // Those below a path stand between it followed by a slash and by the next character after that.
  const here = `${host}/${parts.join('/')}`;
  const below = await store.read(sites).findOne({ proxy: { $gt: `${here}/`, $lt: `${here}0` } });
  return { id: longest._id, taken: (longest.proxy ?? '').split('/').length - 1, isComplete: below === null };
}
