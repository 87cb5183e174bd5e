import type { AccessResolvers } from '@scriptorium/platform';
import { type ContentNodes } from './spaces/content-nodes.queries.js';
import { resolveMember } from './members/member.access.js';
import { resolveLinkInvite } from './link-invitations/link-invites.access.js';
import { resolveOrganization } from './settings/organization.access.js';

/** Resolves the access of callers to organizations, their members and their invitation links. */
export const organizationsAccess = (nodes: ContentNodes): AccessResolvers => ({
  organization: resolveOrganization,
  member: resolveMember,
  link_invite: (scope, principal, params) => resolveLinkInvite(scope, nodes, principal, params),
});
