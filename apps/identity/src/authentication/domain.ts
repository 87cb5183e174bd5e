import { Announcer, defineDomain } from '@scriptorium/platform';
import { CreateUserController } from './passwords/create-user.controller.js';
import { PasswordHashing } from './passwords/scrypt.hashing.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { disabledMembersReactor, removedMembersReactor } from './sessions/sessions.reactor.js';
import { PasswordsController } from './sign-in/change-password.controller.js';
import { linkIndexes } from './sign-in/links.operational.js';
import { provenAddressesReactor } from './sign-in/proven-address.reactor.js';
import { SignInController } from './sign-in/sign-in.controller.js';

/** How people sign in by password and e-mailed link, and their sessions. */
export const authentication = defineDomain({
  name: 'authentication',
  controllers: [CreateUserController, PasswordsController, SessionsController, SignInController],
  indexes: linkIndexes,
  reactors: ({ context, use }) =>
    [removedMembersReactor, disabledMembersReactor, provenAddressesReactor].map((made) =>
      made(context, use(Announcer)),
    ),
  objects: () => [new PasswordHashing()],
});
