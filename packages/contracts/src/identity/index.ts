import { pickOperations } from '../operation.js';
import * as internal from './internal.js';
import * as members from './members.js';
import * as organizations from './organizations.js';
import * as signIn from './sign-in.js';
import * as teams from './teams.js';
import * as users from './users.js';

export * from './events.js';
export * from './internal.js';
export * from './member.js';
export * from './members.js';
export * from './organizations.js';
export * from './password.js';
export * from './sign-in.js';
export * from './teams.js';
export * from './users.js';

/** Every routed operation of the identity service, by id. */
export const identityOperations = pickOperations({ ...organizations, ...members, ...signIn, ...teams, ...users });

/** Every exchange that other processes have with identity. */
export const identityInternal = internal;
