import {
  createUser, getAuthenticatedUser, getUserById, lookupUsers, invalid, updateUserById, type InputOf,
} from '@scriptorium/contracts';
import { isDry } from '@scriptorium/event-sourcing';
import { Controller, Handles, ServiceContext, justMade, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { putFirstPassword } from '../passwords/passwords.operational.js';
import { PasswordHashing } from '../passwords/scrypt.hashing.js';
import { PasswordStrength } from '../passwords/strength.check.js';
import { registerUser } from './register-user.process.js';
import { changeProfile, user } from './user.js';
import { getUser, lookupUsers as findUsers } from './users.queries.js';

@Controller()
export class UsersController {
  constructor(
    private readonly context: ServiceContext,
    private readonly hashing: PasswordHashing,
    private readonly strength: PasswordStrength,
  ) {}

  @Handles(getAuthenticatedUser)
  self(_input: InputOf<typeof getAuthenticatedUser>, call: Call) {
    return getUser(this.context, call.principal.id, call.principal.id);
  }

  @Handles(getUserById)
  get({ params }: InputOf<typeof getUserById>, call: Call) {
    return getUser(this.context, params.userId, call.principal.id);
  }

  @Handles(updateUserById)
  async update({ params, body }: InputOf<typeof updateUserById>, call: Call) {
    await this.context.store.handle(user, params.userId, this.context.command(call, null), (state) => changeProfile(state, body));
    return getUser(this.context, params.userId, call.principal.id);
  }

  @Handles(createUser)
  async create({ body: { password, ...person } }: InputOf<typeof createUser>, call: Call) {
    const id = this.context.idFor(call, 'user');
    const hash = password === undefined ? null : await this.hashed(password, person);
    await registerUser(this.context, id, person, this.context.command(call, null));
    if (hash !== null && !isDry()) await putFirstPassword(this.context.store, id, hash);
    // The operator who typed the address may see it in the answer; later reads follow the rule for everyone.
    return justMade(this.context, () => getUser(this.context, id, id));
  }

  private async hashed(password: string, person: { email: string; displayName: string; kind: 'person' | 'service' }): Promise<string> {
    if (person.kind === 'service') throw invalid('body.password', 'A service account does not sign in');
    await this.strength.require(password, [person.email, person.displayName], 'body.password');
    return this.hashing.hash(password);
  }

  @Handles(lookupUsers)
  async lookup({ ids }: z.output<(typeof lookupUsers)['input']>) {
    return { items: await findUsers(this.context, ids) };
  }
}
