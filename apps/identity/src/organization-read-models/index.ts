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
export { provisionedKey, type ProvisionedUserDocument, provisionedUsers } from './provisioned-user.projection.js';
export { addressesOf, type ServiceAddresses } from './saml-addresses.js';
export { type SAMLProviderDocument, samlProviders } from './saml-provider.projection.js';
export { hasActiveProvider, isWithoutSSO, listLogins } from './sso.queries.js';
export { teamMemberKey, teamMembers } from './team-member.projection.js';
export { type UserDocument, users } from './user.projection.js';
export { renderDeletedUser, renderUser } from './user.render.js';
export { type Urls } from './urls.js';
export { sortKey } from './sort-key.js';
