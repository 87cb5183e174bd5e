import type { VisitorType } from '@scriptorium/contracts';
import type { Claims } from '@scriptorium/expressions';
import type { Entered } from './entering/enter-site.process.js';
import type { FoundSite } from './lookup/find-site.queries.js';
import type { SeenStructure } from './lookup/locate-in-site.js';

/** A visitor who was let into a site, with what they see of it. */
export interface Inside {
  found: FoundSite;
  generation: number;
  entered: Entered;
  claims: Claims;
  type: VisitorType;
  seen: SeenStructure;
}

/** The spaces that a visitor can reach. */
export function spacesIn({ all }: SeenStructure): string[] {
  return [...new Set(all.siteSpaces.map(({ space }) => space))];
}

/** The path of an address, with a slash at its beginning alone. */
export function pathTo(parts: readonly string[], end = ''): string {
  return `/${parts.map(encodeURIComponent).join('/')}${end}`;
}
