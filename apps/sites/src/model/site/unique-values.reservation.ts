import type { ReservationKind } from '@scriptorium/event-sourcing';
import { site, type ActiveSite } from './site.js';

/** A kind of value that one site at a time has. `valueOf`: what a site has of it. */
function ofSites(kind: string, valueOf: (state: ActiveSite) => string | null): ReservationKind {
  const self: ReservationKind = {
    kind,
    normalise: (value) => value,
    async holds(owner, key, { load, keyOf }) {
      const state = await load(site, owner);
      const value = state.status === 'active' ? valueOf(state) : null;
      return value !== null && keyOf(self, value) === key;
    },
  };
  return self;
}

/** A basename as it is unique: within its organization. */
export function basenameOf({ organization, basename }: Pick<ActiveSite, 'organization' | 'basename'>): string {
  return `${organization}/${basename}`;
}

/** Basenames: each belongs to one site of an organization at a time. */
export const basenames = ofSites('basename', basenameOf);
/** Where other servers show sites. */
export const proxies = ofSites('site_proxy', ({ proxy }) => proxy);
/** Hostnames that were verified. */
export const siteHostnames = ofSites('site_hostname', ({ hostname, isHostnameVerified }) =>
  isHostnameVerified ? hostname : null,
);
