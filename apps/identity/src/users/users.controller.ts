import {
  createUser, getAuthenticatedUser, getUserById, lookupUsers, updateUserById, type InputOf,
} from '@scriptorium/contracts';
import { Controller, Handles, ServiceContext, justMade, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { registerUser } from './register-user.process.js';
import { changeProfile, user } from './user.js';
import { getUser, lookupUsers as findUsers } from './users.queries.js';

@Controller()
export class UsersController {
  constructor(private readonly context: ServiceContext) {}

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
  async create({ body }: InputOf<typeof createUser>, call: Call) {
    const id = this.context.idFor(call, 'user');
    await registerUser(this.context, id, body, this.context.command(call, null));
    // The operator who typed the address may see it in the answer; later reads follow the rule for everyone.
    return justMade(() => getUser(this.context, id, id));
  }

  @Handles(lookupUsers)
  async lookup({ ids }: z.output<(typeof lookupUsers)['input']>) {
    return { items: await findUsers(this.context, ids) };
  }
}
