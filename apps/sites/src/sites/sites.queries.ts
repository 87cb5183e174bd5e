import { viewerOfReach, type InstallationReach, type Level, type Place, type ServiceAccess } from '@scriptorium/access';
import { roleAtLeast, type Principal, type Site } from '@scriptorium/contracts';
import { containing, pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { Stored } from '@scriptorium/event-sourcing';
import { levelsOn, showSite, sites, type ListedSite, type Publishing, type SiteDocument } from '../model/index.js';
import type { Filter } from 'mongodb';

export interface SiteFilter {
  space?: string | undefined;
  title?: string | undefined;
  published?: boolean | undefined;
  type?: readonly Site['type'][] | undefined;
}

/** Who lists sites: a member, or an installation. */
type Lister = Place | InstallationReach;

/** The sites of an organization that a member may view, or that an installation reaches, the newest first. */
export async function listSites(
  scope: Scope,
  { access, publishing }: { access: ServiceAccess; publishing: Publishing },
  lister: Lister,
  { operation, page, limit, ...filter }: SiteFilter & PageRequest & { operation: string },
): Promise<Page<Site>> {
  const { organization } = lister;
  const only = 'reaches' in lister ? { installation: lister.installation } : {};
  const bound = { organization, ...filter, ...only };
  const binding = { operation, scope: bound, sort: 'createdAt', order: 'desc' } as const;
  const found = await findSites(scope, organization, filter);
  const levels = await levelsFor(scope, access, lister, found);
  const levelOf = new Map(found.map(({ _id }, i) => [_id, levels[i] ?? null]));
  const all = found.filter(({ _id }) => roleAtLeast(levelOf.get(_id) ?? null, 'read'));
  const listed = await pageBy<Stored<ListedSite>>(scope.cursors, {
    binding,
    request: { page, limit },
    fetch: (most, after) => {
      const start = after === undefined ? 0 : all.findIndex((one) => isBehind(one, String(after[0]), after[1]));
      return start === -1 ? [] : all.slice(start, start + most);
    },
    count: () => all.length,
    isCounted: true,
    keysOf: ({ createdAt, _id }) => [createdAt, _id],
  });
  return {
    ...listed,
    items: await Promise.all(
      listed.items.map((site) => showSite(scope, publishing, { site, level: levelOf.get(site._id) ?? null })),
    ),
  };
}

async function levelsFor(
  scope: Scope,
  access: ServiceAccess,
  lister: Lister,
  found: readonly Stored<ListedSite>[],
): Promise<Level[]> {
  if ('reaches' in lister) {
    const { organization } = lister;
    return found.map(({ _id: id }) => viewerOfReach(lister, { kind: 'site', id, organization })?.level ?? null);
  }
  return levelsOn(
    scope,
    access,
    lister,
    found.map(({ grants }) => grants),
  );
}

/**
 * Sites for responses of other services. Those that the caller may not view are left out; and all of them for a token
 * whose scopes do not let it read sites, and for visitors.
 */
export async function lookupSites(
  scope: Scope,
  { access, publishing }: { access: ServiceAccess; publishing: Publishing },
  caller: Principal | null,
  ids: readonly string[],
): Promise<Site[]> {
  if (caller?.kind !== 'user' || caller.token.scopes?.includes('site:read') === false) return [];
  const docs = (await scope.store.read(sites).byIds(ids)).filter(({ isAdded }) => isAdded);
  const found: Site[] = [];
  for (const organization of new Set(docs.map((doc) => doc.organization))) {
    const place = await access.placeIn(scope, organization, caller);
    if (place === null || place.withoutSSO) continue;
    const here = docs.filter((doc) => doc.organization === organization);
    const levels = await levelsOn(
      scope,
      access,
      place,
      here.map(({ grants }) => grants),
    );
    for (const [i, site] of here.entries()) {
      const level = levels[i] ?? null;
      if (roleAtLeast(level, 'read')) found.push(await showSite(scope, publishing, { site, level }));
    }
  }
  return found;
}

function isBehind({ createdAt, _id }: Stored<ListedSite>, time: string, id: string): boolean {
  return createdAt === time ? _id < id : createdAt < time;
}

function findSites(
  { store }: Scope,
  organization: string,
  { space, title, published, type }: SiteFilter,
): Promise<Stored<ListedSite>[]> {
  const filter: Filter<Stored<SiteDocument>> = {
    organization,
    isAdded: true,
    ...(space === undefined ? {} : { spaces: space }),
    ...(title === undefined ? {} : { title: { $regex: containing(title).source, $options: 'i' } }),
    ...(published === undefined ? {} : { published }),
    ...(type === undefined ? {} : { type: { $in: [...type] } }),
  };
  return store
    .read(sites)
    .find(filter, { projection: { structure: 0, adaptiveSchema: 0, links: 0 } })
    .sort({ createdAt: -1, _id: -1 })
    .toArray();
}
