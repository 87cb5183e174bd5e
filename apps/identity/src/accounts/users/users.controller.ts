import {
  getAuthenticatedUser,
  getUserById,
  lookupUsers,
  updateUserById,
  type InputOf,
  type Principal,
} from '@scriptorium/contracts';
import { Controller, Handles, type Call } from '@scriptorium/platform';
import type * as z from 'zod';
import { changeProfile, user } from './user.js';
import { getUser, lookupUsers as findUsers } from './users.queries.js';

@Controller()
export class UsersController {
  @Handles(getAuthenticatedUser)
  self(_input: InputOf<typeof getAuthenticatedUser>, call: Call) {
    return getUser(call, call.principal.id, call.principal.id);
  }

  @Handles(getUserById)
  get({ params }: InputOf<typeof getUserById>, call: Call) {
    return getUser(call, params.userId, call.principal.id);
  }

  @Handles(updateUserById)
  async update({ params, body }: InputOf<typeof updateUserById>, call: Call) {
    await call.store.handle(user, params.userId, (state) => changeProfile(state, body));
    return getUser(call, params.userId, call.principal.id);
  }

  @Handles(lookupUsers)
  async lookup({ ids }: z.output<(typeof lookupUsers)['input']>, call: Call<Principal | null>) {
    // Visitors of a site are told nothing of people.
    return { items: call.principal !== null && call.principal.kind !== 'user' ? [] : await findUsers(call, ids) };
  }
}
