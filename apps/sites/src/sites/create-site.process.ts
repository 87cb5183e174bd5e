import type { Place, ServiceAccess } from '@scriptorium/access';
import { AppError, blaming, type Limits, type Site } from '@scriptorium/contracts';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { derivedId, type Call } from '@scriptorium/platform';
import { add, directory, has } from '../directory/index.js';
import { basenameOf, basenames, nthPath, pathOf, site } from '../model/index.js';
import { requirePlaceable } from '../spaces/index.js';
import { create } from './settings.js';

export interface WantedSite {
  title: string;
  type: Site['type'];
  visibility: Site['visibility'];
  /** Spaces to put on it, each once. */
  spaces: readonly string[];
}

/** Characters of the title of a site; that of an organization can be longer. */
const longestTitle = 128;

/** How many basenames are tried for a title before one is made of the id. */
const mostTried = 20;

/**
 * Creates a site. Its stream begins with all that stands on it; it exists once the directory has it. What breaks off in
 * between is seen by nobody.
 * @throws AppError `already_exists` for a space that is named twice, `limit_reached`, `not_found` for a space that is
 * not there, `forbidden` for one on which the caller may not create
 */
export async function createSite(
  call: Call,
  access: ServiceAccess,
  place: Place,
  { spaces, ...wanted }: WantedSite,
): Promise<string> {
  const { store, limits } = call;
  const { organization } = place;
  const id = `site_${call.idFor('site').slice(0, 10)}`;
  const repeated = spaces.findIndex((space, i) => spaces.indexOf(space) !== i);
  if (repeated >= 0) throw blaming('already_exists', `body.spaces[${repeated}]`, 'A space is on a site once');
  const placed = await requirePlaceable(call, access, place, spaces, (i) => `body.spaces[${i}]`);
  const added = placed.map((space, i) => ({ id: `sitesp_${call.idFor(`site space ${i}`).slice(0, 10)}`, space }));
  const addition = { site: id, limit: limits.sitesPerOrganization };
  // What the directory refuses must not leave a stream behind.
  const known = await store.load(directory, organization);
  if (!has(known, id)) add(known, addition);
  const here = store.within({ site: id });
  const created = await withFreeBasename(store, { id, title: wanted.title, organization }, (basename) =>
    here.handle(site, id, (state) => create(state, { ...wanted, basename, organization, spaces: added, limits }), {
      wait: false,
    }),
  );
  await here.handle(directory, organization, (state) => (has(state, id) ? [] : add(state, addition)));
  // The read model of sites is made of both streams.
  await store.shown(created);
  return id;
}

/** Calls `append` with the first basename that is free in the organization. */
async function withFreeBasename<T>(
  store: StoreScope,
  { id, title, organization }: { id: string; title: string; organization: string },
  append: (basename: string) => Promise<T>,
): Promise<T> {
  const path = pathOf(title);
  const own = `site-${id.slice(5, 11).toLowerCase()}`;
  const candidates = path === undefined ? [own] : Array.from({ length: mostTried }, (_, i) => nthPath(path, i + 1));
  for (const basename of [...candidates, own, `site-${id.slice(5).toLowerCase()}`]) {
    try {
      return await store.reserve(basenames, { value: basenameOf({ organization, basename }), owner: id }, () =>
        append(basename),
      );
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'already_exists') throw error;
    }
  }
  throw new AppError('conflict', [], { retryAfter: 1 });
}

/** Makes the site with which an organization is created. Safe to repeat. */
export async function createDefaultSite(
  store: StoreScope,
  { organization, title }: { organization: string; title: string },
  limits: Pick<Limits, 'sitesPerOrganization' | 'siteSpacesPerSite'>,
): Promise<void> {
  const id = `site_${derivedId('default site', organization).slice(0, 10)}`;
  const created = { title: title.slice(0, longestTitle).trim(), type: 'basic', visibility: 'public' } as const;
  const inside = store.in(organization).within({ site: id });
  await withFreeBasename(inside, { id, title, organization }, (basename) =>
    inside.handle(site, id, (state) => create(state, { ...created, basename, organization, spaces: [], limits })),
  );
  const addition = { site: id, limit: limits.sitesPerOrganization, isDefault: true };
  await inside
    .step('directory')
    .handle(directory, organization, (state) => (state.closed || has(state, id) ? [] : add(state, addition)));
}
