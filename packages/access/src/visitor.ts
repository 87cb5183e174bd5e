import type { VisitorPrincipal } from '@scriptorium/contracts';
import { type Grantee } from './level.js';
import { type Place } from './place.js';

/**
 * A visitor as a viewer of the spaces that the content token opens: with the level `read`, as a guest. What visitors
 * see of these spaces depends on their claims, and they can use the operations alone that accept content tokens. `null`
 * for a space that is not opened, or is of another organization. Pure.
 */
export function visitorOf(
  { id, organization, visitor }: VisitorPrincipal,
  space: { id: string; organization: string },
): { place: Place; member: Grantee; level: 'read' } | null {
  if (space.organization !== organization || !visitor.spaces.includes(space.id)) return null;
  const place = { organization, user: id, membership: '', role: null, withoutSSO: false };
  return { place, member: { user: id, membership: '', role: null, teams: [] }, level: 'read' };
}
