export { type AgentInstructionsEvent, agentInstructionsEvents } from './agent-instructions.events.js';
export { type CredentialsEvent, credentialsEvents } from './credentials.events.js';
export { type ErasureEvent, erasureEvents } from './erasure.events.js';
export { type InstallationEvent, installationEvents } from './installation.events.js';
export { type InviteEvent, inviteEvents } from './invite.events.js';
export { type InviteeEvent, inviteeEvents } from './invitee.events.js';
export { type LinkInvitesEvent, linkInvitesEvents } from './link-invites.events.js';
export { type AdminAlertEvent, adminAlertEvents } from './admin-alerts.events.js';
export {
  claimsChanged,
  newOrganization,
  noClaims,
  type OrganizationClaims,
  type OrganizationSettings,
  settingsChanged,
} from './organization-settings.js';
export { type OrganizationEvent, organizationEvents } from './organization.events.js';
export { type ProviderSettings } from './provider-settings.js';
export { isOwnLink, type RosterEvent, rosterEvents } from './roster.events.js';
export { type SSOEvent, ssoEvents } from './sso.events.js';
export { type TeamEvent, teamEvents } from './team.events.js';
export { type UserEvent, userEvents } from './user.events.js';
