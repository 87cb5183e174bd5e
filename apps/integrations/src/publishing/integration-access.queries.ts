import type { ServiceAccess } from '@scriptorium/access';
import { roleRelations, type Principal, type Relation, type ResourceAccess } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { findByName } from './integrations.queries.js';

/**
 * Access to an integration: anybody may know of it unless it is private, and members of its owner have their roles. Who
 * lacks the single sign-on of the owner is anybody.
 */
export async function accessToIntegration(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  { integrationName = '' }: { integrationName?: string },
): Promise<ResourceAccess> {
  const doc = await findByName(scope, integrationName);
  if (doc === null) return { parentVisible: true, exists: false, relations: new Set() };
  const { organization, visibility } = doc;
  const place = await access.placeIn(scope, organization, principal);
  const isOpen = visibility !== 'private';
  const counts = place !== null && !(isOpen && place.withoutSSO);
  const relations = new Set<Relation>([
    ...(isOpen ? (['anyone'] as const) : []),
    ...(counts ? roleRelations(place.role) : []),
  ]);
  const more = counts ? { role: place.role, withoutSSO: place.withoutSSO } : {};
  return { parentVisible: true, exists: true, relations, organization, ...more };
}
