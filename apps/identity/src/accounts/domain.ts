import { identityReadModels } from '@scriptorium/access';
import { principalChanges } from '@scriptorium/contracts';
import { Announcer, defineDomain } from '@scriptorium/platform';
import { accountsAccess } from './access.js';
import { sessionIndexes } from './sessions/sessions.operational.js';
import { AuthenticationController } from './tokens/authentication.controller.js';
import { principalsReactor } from './tokens/principals.reactor.js';
import { tokens } from './tokens/token.projection.js';
import { TokensController } from './tokens/tokens.controller.js';
import { addresses } from './users/addresses.reservation.js';
import { userNames } from './users/user-names.reservation.js';
import { UsersController } from './users/users.controller.js';

/** The events from which other services build their read models of access. */
const accessTypes: ReadonlySet<string> = new Set(identityReadModels.flatMap(({ types }) => [...types]));

/** Users, their tokens and sessions, and the operators of the installation. */
export const accounts = defineDomain({
  name: 'accounts',
  controllers: [UsersController, TokensController, AuthenticationController],
  projections: [tokens],
  indexes: sessionIndexes,
  objects: ({ context }) => [new Announcer(context, { subject: principalChanges, positionsOf: accessTypes })],
  reactors: ({ use }) => [principalsReactor(use(Announcer))],
  reservations: () => [addresses, userNames],
  resolvers: () => accountsAccess,
});
