import { organizationFacts } from '@scriptorium/access';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { sites, type PublishingPlace, type SiteDocument } from '../model/index.js';

/** A site that an address leads to, and what of its path follows. */
export interface FoundSite {
  site: Stored<SiteDocument>;
  /** The hostname of its organization. */
  hostname: string;
  /** The parts of the path that name the site. */
  base: string[];
  rest: string[];
}

/** Parts of a path, at most. */
const mostParts = 64;

/** The parts of the path of an address; `undefined` for one that cannot be read. Pure. */
export function partsOf({ pathname }: URL): string[] | undefined {
  const parts = pathname.split('/').filter((part) => part !== '');
  if (parts.length > mostParts) return undefined;
  try {
    return parts.map((part) => decodeURIComponent(part).normalize('NFC'));
  } catch {
    return undefined;
  }
}

/** The site at an address; ports do not count. `undefined` when there is none. */
export async function findSite(
  scope: Pick<Scope, 'store' | 'urls'>,
  { domain }: PublishingPlace,
  url: URL,
): Promise<FoundSite | undefined> {
  const parts = partsOf(url);
  if (parts === undefined) return undefined;
  const host = url.hostname.toLowerCase();
  if (host === new URL(scope.urls.app).hostname.toLowerCase() && parts[0] === '~site')
    return withHostname(scope, await siteById(scope, parts[1] ?? ''), parts, 2);
  return (
    (await withBasename(scope, domain, host, parts)) ??
    (await withHostname(
      scope,
      await scope.store.read(sites).findOne({ hostname: host, isHostnameVerified: true }),
      parts,
      0,
    )) ??
    (await behindProxy(scope, host, parts))
  );
}

async function siteById({ store }: Pick<Scope, 'store'>, id: string): Promise<Stored<SiteDocument> | null> {
  return /^[\w-]{1,128}$/.test(id) ? store.read(sites).byId(id) : null;
}

async function withBasename(
  { store }: Pick<Scope, 'store'>,
  domain: string,
  host: string,
  parts: readonly string[],
): Promise<FoundSite | undefined> {
  const [basename, ...rest] = parts;
  if (!host.endsWith(`.${domain}`) || basename === undefined) return undefined;
  const hostname = host.slice(0, -domain.length - 1);
  const facts = await store.read(organizationFacts).findOne({ hostname, deleted: false });
  if (facts === null) return undefined;
  const site = await store.read(sites).findOne({ organization: facts._id, basename, isAdded: true });
  return site === null ? undefined : { site, hostname, base: [basename], rest };
}

async function withHostname(
  { store }: Pick<Scope, 'store'>,
  site: Stored<SiteDocument> | null,
  parts: readonly string[],
  taken: number,
): Promise<FoundSite | undefined> {
  if (site?.isAdded !== true) return undefined;
  const facts = await store.read(organizationFacts).byId(site.organization);
  if (facts === null || facts.deleted) return undefined;
  return { site, hostname: facts.hostname, base: parts.slice(0, taken), rest: parts.slice(taken) };
}

/** A proxy has the site under a host and a path of its own. */
async function behindProxy(
  scope: Pick<Scope, 'store'>,
  host: string,
  parts: readonly string[],
): Promise<FoundSite | undefined> {
  const proxies = parts.map((_, index) => `${host}/${parts.slice(0, index + 1).join('/')}`);
  if (proxies.length === 0) return undefined;
  const found = await scope.store
    .read(sites)
    .find({ proxy: { $in: proxies } })
    .limit(mostParts)
    .toArray();
  const [longest] = found.sort((a, b) => (b.proxy ?? '').length - (a.proxy ?? '').length);
  const taken = (longest?.proxy ?? '').split('/').length - 1;
  return withHostname(scope, longest ?? null, parts, taken);
}
