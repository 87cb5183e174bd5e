import type { Place } from '@scriptorium/access';
import { roleAtLeast, type Site } from '@scriptorium/contracts';
import { containing, pageBy, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import type { Stored } from '@scriptorium/event-sourcing';
import { showSite, sites, type ListedSite, type Publishing, type SiteDocument } from '../model/index.js';
import type { Filter } from 'mongodb';

export interface SiteFilter {
  space?: string | undefined;
  title?: string | undefined;
  published?: boolean | undefined;
  type?: readonly Site['type'][] | undefined;
}

/** The sites of an organization that a member may view, the newest first. */
export async function listSites(
  scope: Scope,
  publishing: Publishing,
  place: Place,
  { operation, page, limit, ...filter }: SiteFilter & PageRequest & { operation: string },
): Promise<Page<Site>> {
  const { organization, role: level } = place;
  const binding = { operation, scope: { organization, ...filter }, sort: 'createdAt', order: 'desc' } as const;
  const all = roleAtLeast(level, 'read') ? await findSites(scope, organization, filter) : [];
  const found = await pageBy<Stored<ListedSite>>(scope.cursors, {
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
    ...found,
    items: await Promise.all(found.items.map((site) => showSite(scope, publishing, { site, level }))),
  };
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
