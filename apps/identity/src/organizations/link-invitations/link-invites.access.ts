import { roleRelations, type Principal, type ResourceAccess } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { access, membershipOf, noAccess, type Params } from '../../organization-read-models/index.js';
import { type ContentNodes } from '../spaces/content-nodes.queries.js';
import { linkInviteDocs } from './link-invite.projection.js';

/**
 * Access to an invitation link. Only admins know of links to the organization; for one to a space or collection the
 * level there decides.
 */
export async function resolveLinkInvite(
  scope: Scope,
  nodes: ContentNodes,
  principal: Principal,
  { organizationId = '', inviteId = '' }: Params,
): Promise<ResourceAccess> {
  const [membership, doc] = await Promise.all([
    membershipOf(scope.store, principal, organizationId),
    scope.store.read(linkInviteDocs).byId(inviteId),
  ]);
  if (membership === null) return noAccess;
  const { role, relations, withoutSSO } = membership;
  if (doc?.organization !== organizationId) return { ...access(false, relations), role, withoutSSO };
  if (role === 'admin') return { ...access(true, relations), role, withoutSSO };
  if (!('level' in doc)) return { ...access(true, ['guest']), role, withoutSSO };
  const levels = await nodes.levelsOn(scope, organizationId, principal.id, [doc.to]);
  return { ...access(true, roleRelations(levels.get(doc.to.id) ?? null)), role, withoutSSO };
}
