import type { ServiceAccess } from '@scriptorium/access';
import type { VisitorType } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import type { Scope } from '@scriptorium/platform';
import { shownStructure, type ActiveSite } from '../model/index.js';
import type { SeenStructure } from './locate-in-site.js';

/** What a visitor with these claims sees of a site. Spaces that are not in the navigation can be reached all the same. */
export async function shownToVisitor(
  scope: Scope,
  access: ServiceAccess,
  site: ActiveSite,
  { claims, type }: { claims: Claims; type: VisitorType },
): Promise<SeenStructure> {
  const nodes = await access.nodesOf(scope, site.organization);
  const isLiving = (space: string): boolean => nodes.has(space) && nodes.deletedAt(space) === null;
  const viewer = { kind: 'visitor', claims, type } as const;
  const { structure } = site;
  const siteSpaces = structure.siteSpaces.map((one) => ({ ...one, hidden: false }));
  return {
    listed: shownStructure(site, viewer, isLiving),
    all: shownStructure({ ...site, structure: { ...structure, siteSpaces } }, viewer, isLiving),
  };
}
