import { pickOperations } from '../operation.js';
import * as agentInstructions from './agent-instructions.js';
import * as internal from './internal.js';
import * as joining from './joining.js';
import * as linkInvites from './link-invites.js';
import * as members from './members.js';
import * as organizations from './organizations.js';
import * as samlSignIn from './saml-sign-in.js';
import * as signIn from './sign-in.js';
import * as sso from './sso.js';
import * as teams from './teams.js';
import * as users from './users.js';

export * from './agent-instructions-events.js';
export * from './agent-instructions.js';
export * from './events.js';
export * from './internal.js';
export * from './joining.js';
export * from './link-invite-events.js';
export * from './link-invites.js';
export * from './member.js';
export * from './members.js';
export * from './organizations.js';
export * from './password.js';
export * from './reserved-hostnames.js';
export * from './saml-sign-in.js';
export * from './sign-in.js';
export * from './sso-events.js';
export * from './sso.js';
export * from './teams.js';
export * from './users.js';

/** Every routed operation of the identity service, by id. */
export const identityOperations = pickOperations({
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
});

/** Every exchange that other processes have with identity. */
export const identityInternal = internal;
