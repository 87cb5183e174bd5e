import { publicStream } from '../kernel/public-streams.js';
import { agentInstructionsEventSchemas, getOrganizationAgentInstructions } from './organizations/agent-instructions.js';
import {
  inviteeEventSchemas,
  adminAlertEventSchemas,
  organizationEventSchemas,
  rosterEventSchemas,
  teamEventSchemas,
} from './events.js';
import { linkInviteEventSchemas } from './organizations/link-invite-events.js';
import { getOrganizationInviteById } from './organizations/link-invites.js';
import {
  getMemberInOrganizationById,
  inviteUsersToOrganization,
  updateMemberInOrganizationById,
} from './people/members.js';
import { getOrganizationById, updateOrganizationById } from './organizations/organizations.js';
import { scimTokenEventSchemas } from './provisioning/scim-events.js';
import { deleteOrganizationSCIMToken } from './provisioning/scim-tokens.js';
import { ssoEventSchemas } from './sign-in/sso-events.js';
import { getOrganizationSAMLProviderById } from './sign-in/sso.js';
import { getTeamInOrganizationById } from './people/teams.js';

const base = { service: 'identity' } as const;
const {
  OrganizationSSOEnforcementEnabled,
  OrganizationSSOEnforcementDisabled,
  SSORecoveryUsed,
  ...providerEventSchemas
} = ssoEventSchemas;

/** The streams of identity whose events appear in the audit log and the change feed. */
export const identityStreams = [
  publicStream({
    ...base,
    entity: 'organization',
    schemas: organizationEventSchemas,
    target: { object: 'organization' },
    shownBy: getOrganizationById,
  }),
  publicStream({
    ...base,
    entity: 'roster',
    schemas: rosterEventSchemas,
    untold: ['RosterOpened', 'RosterClosed', 'MemberAccountKindRecorded', 'MemberAccepted'],
    target: { object: 'member', idIn: 'user' },
    shownBy: getMemberInOrganizationById,
  }),
  publicStream({
    ...base,
    entity: 'team',
    schemas: teamEventSchemas,
    target: { object: 'team' },
    shownBy: getTeamInOrganizationById,
  }),
  publicStream({
    ...base,
    entity: 'invitee',
    schemas: inviteeEventSchemas,
    target: { object: 'invite', idIn: 'invite' },
    shownBy: inviteUsersToOrganization,
  }),
  publicStream({
    ...base,
    entity: 'links',
    schemas: linkInviteEventSchemas,
    target: { object: 'invite', idIn: 'invite' },
    shownBy: getOrganizationInviteById,
  }),
  publicStream({
    ...base,
    entity: 'sso',
    schemas: providerEventSchemas,
    target: { object: 'saml-provider', idIn: 'provider' },
    shownBy: getOrganizationSAMLProviderById,
  }),
  publicStream({
    ...base,
    entity: 'sso',
    schemas: { OrganizationSSOEnforcementEnabled, OrganizationSSOEnforcementDisabled },
    target: { object: 'organization' },
    shownBy: getOrganizationById,
  }),
  publicStream({
    ...base,
    entity: 'sso',
    schemas: { SSORecoveryUsed },
    target: { object: 'organization' },
    shownBy: updateOrganizationById,
  }),
  publicStream({
    ...base,
    entity: 'provisioning',
    schemas: scimTokenEventSchemas,
    target: { object: 'scim-token', idIn: 'token' },
    shownBy: deleteOrganizationSCIMToken,
  }),
  publicStream({
    ...base,
    entity: 'instructions',
    schemas: agentInstructionsEventSchemas,
    target: { object: 'agent-instructions' },
    shownBy: getOrganizationAgentInstructions,
  }),
  publicStream({
    ...base,
    entity: 'notices',
    schemas: adminAlertEventSchemas,
    target: { object: 'member', idIn: 'user' },
    shownBy: updateMemberInOrganizationById,
  }),
];
