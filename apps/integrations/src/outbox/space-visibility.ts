import { siteVisibilities, type IntegrationScope, type Space } from '@scriptorium/contracts';
import type { SiteShowingDocument } from '../places/index.js';
import { isToldOf, named, type Planned, type Receiver } from './receivers.js';

export type SpaceVisibility = Space['visibility'];

/** Of a space, what its visibility was, and what it is now. */
export interface VisibilityChange {
  space: string;
  previous: SpaceVisibility;
  present: SpaceVisibility;
}

/** The scope that an installation needs to be told of it. */
const scope: IntegrationScope = 'space:metadata:read';

/**
 * The visibility of the spaces that published sites of their organization show: that of the site that shows a space to
 * most. Pure.
 */
export function visibilityOnSites(
  sites: readonly Pick<SiteShowingDocument, 'visibility' | 'published' | 'spaces'>[],
): Map<string, SpaceVisibility> {
  const found = new Map<string, SpaceVisibility>();
  const width = ({ visibility }: Pick<SiteShowingDocument, 'visibility'>) => siteVisibilities.indexOf(visibility);
  // The widest one comes last, so that it stays.
  for (const { visibility, published, spaces } of sites.toSorted((a, b) => width(b) - width(a)))
    if (published) for (const space of Object.values(spaces)) found.set(space, visibility);
  return found;
}

/** What is delivered to installations of an organization because of another visibility of a space. Pure. */
export function plannedForVisibility(
  { space: id, previous, present }: VisibilityChange,
  position: number,
  receivers: readonly Receiver[],
): Planned[] {
  const target = { kind: 'space', id } as const;
  return receivers
    .filter((one) => isToldOf(one, { scope, target, position }))
    .map((one) => ({ ...named(one), type: 'space_visibility_updated', target, visibility: { previous, present } }));
}
