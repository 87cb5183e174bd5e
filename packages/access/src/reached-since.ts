import type { InstallationReachDocument } from './installation-reach.projection.js';

type Selected = Pick<InstallationReachDocument, 'spaces' | 'sites' | 'allSpacesSince' | 'allSitesSince' | 'since'>;

/**
 * The position in the log from which an installation reaches a space or site of its organization; `null` when it does
 * not. What was recorded before is not delivered to it. Pure.
 */
export function reachedSince(reach: Selected, { kind, id }: { kind: 'space' | 'site'; id: string }): number | null {
  const [targets, all] = kind === 'space' ? [reach.spaces, reach.allSpacesSince] : [reach.sites, reach.allSitesSince];
  const own = targets.find((target) => target.id === id)?.since;
  const since = Math.min(own ?? Infinity, all ?? Infinity);
  return since === Infinity ? null : Math.max(since, reach.since);
}
