import { pickOperations } from '../kernel/operation.js';
import { defineServiceContract } from '../kernel/service-contract.js';
import * as agentInstructions from './organizations/agent-instructions.js';
import * as internal from './internal.js';
import * as joining from './organizations/joining.js';
import { identityLimits } from './limits.js';
import * as linkInvites from './organizations/link-invites.js';
import * as members from './people/members.js';
import * as organizations from './organizations/organizations.js';
import { identityStreams } from './public-streams.js';
import * as provisioning from './provisioning/internal.js';
import * as scimTokens from './provisioning/scim-tokens.js';
import * as samlSignIn from './sign-in/saml-sign-in.js';
import * as signIn from './sign-in/sign-in.js';
import * as sso from './sign-in/sso.js';
import * as teams from './people/teams.js';
import * as users from './people/users.js';

/** The contract of identity: everything that other processes use of it. */
export const identityContract = defineServiceContract({
  name: 'identity',
  operations: pickOperations({
    ...organizations,
    ...agentInstructions,
    ...joining,
    ...linkInvites,
    ...members,
    ...samlSignIn,
    ...scimTokens,
    ...signIn,
    ...sso,
    ...teams,
    ...users,
  }),
  internal: { ...internal, ...provisioning },
  streams: identityStreams,
  limits: identityLimits,
  embeds: {
    user: internal.lookupUsers,
    member: internal.lookupMembers,
    team: internal.lookupTeams,
    organization: internal.lookupOrganizations,
  },
  resourceKinds: {
    installation: { withinOrganization: false },
    user: { withinOrganization: false },
    organization: { withinOrganization: true },
    member: { withinOrganization: true },
    team: { withinOrganization: true },
    link_invite: { withinOrganization: true },
    saml_provider: { withinOrganization: true },
  },
});
