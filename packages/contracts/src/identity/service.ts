import { pickOperations } from '../operation.js';
import { defineServiceContract } from '../service-contract.js';
import * as agentInstructions from './agent-instructions.js';
import * as internal from './internal.js';
import * as joining from './joining.js';
import { identityLimits } from './limits.js';
import * as linkInvites from './link-invites.js';
import * as members from './members.js';
import * as organizations from './organizations.js';
import { identityStreams } from './public-streams.js';
import * as samlSignIn from './saml-sign-in.js';
import * as signIn from './sign-in.js';
import * as sso from './sso.js';
import * as teams from './teams.js';
import * as users from './users.js';

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
    ...signIn,
    ...sso,
    ...teams,
    ...users,
  }),
  internal: { ...internal },
  streams: identityStreams,
  limits: identityLimits,
  embeds: { user: internal.lookupUsers, member: internal.lookupMembers, team: internal.lookupTeams },
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
