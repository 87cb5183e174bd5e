import { getMemberInOrganizationById } from '@scriptorium/contracts';
import type { AccessCheck, ResolveAccess } from '@scriptorium/platform';
import {
  memberAccess,
  memberKey,
  members,
  membershipOf,
  noAccess,
  selfRelation,
} from '../../organization-read-models/index.js';

/** Resolves the access of callers to a member. */
export const resolveMember: ResolveAccess = async ({ store }, principal, { organizationId = '', userId = '' }) => {
  const [membership, member] = await Promise.all([
    membershipOf(store, principal, organizationId),
    store.read(members).byId(memberKey(organizationId, userId)),
  ]);
  return membership === null ? noAccess : memberAccess(membership, member !== null, selfRelation(principal, userId));
};

/** Whether a caller may see a member. */
export const viewMember: AccessCheck = { operation: getMemberInOrganizationById, resolve: resolveMember };
