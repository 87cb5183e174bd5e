import {
  installationReach,
  installationStatus,
  integrationReach,
  reachedSince,
  type ServiceAccess,
} from '@scriptorium/access';
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
 * lacks the single sign-on of the owner is anybody. Visitors of published sites may know of what is active on a space
 * that they read: pages show its blocks.
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
  const isOpen = visibility !== 'private' || (await isShownTo(scope, principal, doc._id));
  const counts = place !== null && !(isOpen && place.withoutSSO);
  const relations = new Set<Relation>([
    ...(isOpen ? (['anyone'] as const) : []),
    ...(counts ? roleRelations(place.role) : []),
  ]);
  const more = counts ? { role: place.role, withoutSSO: place.withoutSSO } : {};
  return { parentVisible: true, exists: true, relations, organization, ...more };
}

async function isShownTo({ store }: Scope, principal: Principal, integration: string): Promise<boolean> {
  if (principal.kind !== 'visitor') return false;
  const { organization, visitor } = principal;
  const reach = await store.read(installationReach).findOne({ integration, organization });
  const demands = reach && (await store.read(integrationReach).byId(integration));
  if (reach === null || demands === null || installationStatus(reach, demands) !== 'active') return false;
  return visitor.spaces.some((id) => reachedSince(reach, { kind: 'space', id }) !== null);
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
