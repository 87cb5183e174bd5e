import type { ServiceAccess } from '@scriptorium/access';
import type { Principal, ResourceAccess } from '@scriptorium/contracts';
import type { AccessResolvers, Scope } from '@scriptorium/platform';
import { accessToNode, findNode } from '../nodes/index.js';
import { hasCome, transferOf } from './arrival.queries.js';

/** How access to what is transferred is resolved. */
export function transfersAccess(access: ServiceAccess): AccessResolvers {
  return {
    transferred_space: (scope, principal, { spaceId: id = '' }) =>
      accessTo(scope, access, principal, { id, kind: 'space' }),
    transferred_collection: (scope, principal, { collectionId: id = '' }) =>
      accessTo(scope, access, principal, { id, kind: 'collection' }),
  };
}

/**
 * Access to a space or collection. Who has transferred it by a request with an idempotency key, and may not do so in
 * the organization that has it now, may send that request again.
 */
async function accessTo(
  scope: Scope,
  access: ServiceAccess,
  principal: Principal,
  node: { id: string; kind: 'space' | 'collection' },
): Promise<ResourceAccess> {
  const found = await accessToNode(scope, access, principal, node);
  const { idem } = scope.store.context;
  if (idem === undefined || found.relations.has('organization_admin')) return found;
  const to = (await findNode(scope, node.id))?.organization;
  if (to === undefined || found.organization !== to) return found;
  if (!(await hasCome(scope, { to, transfer: transferOf(idem) }))) return found;
  return { ...found, relations: new Set([...found.relations, 'read', 'organization_admin']) };
}
