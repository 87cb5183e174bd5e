export { type ContentNode, ContentNodes } from './content-nodes.queries.js';
export { domainOwner, listOwnersOf, verifiedDomain } from './domain-owner.queries.js';
export { domainOf, type DomainOwner, ownsDomain } from './email-domains.js';
export { type MemberDocument, memberKey, members } from './member.projection.js';
export {
  access,
  memberAccess,
  membershipOf,
  noAccess,
  type Params,
  partAccess,
  selfRelation,
} from './membership.access.js';
export { type OrganizationDocument, organizations } from './organization.projection.js';
export { addressesOf, type ServiceAddresses } from './saml-addresses.js';
export { type SAMLProviderDocument, samlProviders } from './saml-provider.projection.js';
export { SpaceCounts } from './space-counts.queries.js';
export { hasActiveProvider, isWithoutSSO, listLogins } from './sso.queries.js';
export { teamMemberKey, teamMembers } from './team-member.projection.js';
export { type TeamDocument, teams } from './team.projection.js';
export { type UserDocument, users } from './user.projection.js';
export { renderDeletedUser, renderUser } from './user.render.js';
