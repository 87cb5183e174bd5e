import { AppError, limitReached } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedEntries,
  keyedGet,
  keyedPut,
  type Keyed,
} from '@scriptorium/event-sourcing';
import { wholeDirectory, type DirectoryEvent, type WholeDirectoryEvent } from '../model/index.js';

/** Which sites an organization has. */
export interface Directory {
  /** The organization was deleted. */
  closed: boolean;
  sites: Keyed<true>;
}

function evolve(state: Directory, event: WholeDirectoryEvent): Directory {
  switch (event.type) {
    case 'SiteAdded':
      return { ...state, sites: keyedPut(state.sites, event.data.site, true) };
    case 'SiteDeleted':
      return { ...state, sites: keyedDrop(state.sites, event.data.site) };
    case 'SiteDirectoryClosed':
      return { closed: true, sites: emptyKeyed };
    case 'SiteErased':
      return state;
  }
}

/** The sites of an organization, one stream each. It begins with the first site. */
export const directory = defineAggregate<Directory, typeof wholeDirectory>({
  service: 'sites',
  entity: 'directory',
  events: wholeDirectory,
  initial: { closed: false, sites: emptyKeyed },
  evolve,
});

/** @throws AppError `not_found` for a deleted organization, `limit_reached` */
export function add(
  state: Directory,
  { site, limit, isDefault = false }: { site: string; limit: number; isDefault?: boolean },
): DirectoryEvent[] {
  if (state.closed) throw new AppError('not_found');
  if (keyedGet(state.sites, site) !== undefined) throw new AppError('already_exists');
  if (state.sites.size >= limit) throw limitReached('sitesPerOrganization', limit);
  return [{ type: 'SiteAdded', data: { site, ...(isDefault ? { isDefault } : {}) } }];
}

export function remove(state: Directory, site: string): DirectoryEvent[] {
  return keyedGet(state.sites, site) === undefined ? [] : [{ type: 'SiteDeleted', data: { site } }];
}

/** The organization was deleted: every site is, and none is added any more. */
export function close(state: Directory): DirectoryEvent[] {
  if (state.closed) return [];
  const deleted = keyedEntries(state.sites).map(([site]) => ({ type: 'SiteDeleted', data: { site } }) as const);
  return [...deleted, { type: 'SiteDirectoryClosed', data: {} }];
}

/** Nothing is left of a deleted site. */
export function erased(site: string): WholeDirectoryEvent[] {
  return [{ type: 'SiteErased', data: { site } }];
}

/** Whether the directory has a site. */
export function has({ sites }: Directory, site: string): boolean {
  return keyedGet(sites, site) !== undefined;
}
