import type { ServiceAccess } from '@scriptorium/access';
import {
  roleRelations,
  type InstallationPrincipal,
  type IntegrationPrincipal,
  type Principal,
  type Relation,
  type ResourceAccess,
} from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { findByName, type StoredIntegration } from './integrations.queries.js';

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
  if (principal.kind === 'integration' || principal.kind === 'installation')
    return accessOfItself(scope, access, principal, doc);
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

/** An integration knows of itself alone, and so do its installations. */
async function accessOfItself(
  scope: Scope,
  access: ServiceAccess,
  principal: IntegrationPrincipal | InstallationPrincipal,
  { _id: id, organization }: StoredIntegration,
): Promise<ResourceAccess> {
  if (principal.kind === 'integration')
    return { parentVisible: true, exists: principal.id === id, relations: new Set(['integration']), organization };
  const reach = await access.reachOf(scope, principal);
  const exists = reach?.integration === id;
  return {
    parentVisible: true,
    exists,
    relations: new Set(['installation']),
    organization: principal.organization,
    granted: reach?.scopes ?? [],
  };
}
