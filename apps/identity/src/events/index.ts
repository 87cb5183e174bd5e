export { type CredentialsEvent, credentialsEvents } from './credentials.events.js';
export { type ErasureEvent, erasureEvents } from './erasure.events.js';
export { type InviteEvent, inviteEvents } from './invite.events.js';
export {
  claimsChanged,
  newOrganization,
  noClaims,
  type OrganizationClaims,
  type OrganizationSettings,
  settingsChanged,
} from './organization-settings.js';
export { type OrganizationEvent, organizationEvents } from './organization.events.js';
export { type ProvisioningEvent, provisioningEvents } from './provisioning.events.js';
export { isOwnLink, type RosterEvent, rosterEvents } from './roster.events.js';
export { type ProviderSettings, type SSOEvent, ssoEvents } from './sso.events.js';
export { type TeamEvent, teamEvents } from './team.events.js';
export { type UserEvent, userEvents } from './user.events.js';
