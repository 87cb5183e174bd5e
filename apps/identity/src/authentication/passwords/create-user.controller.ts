import { createUser, invalid, type InputOf } from '@scriptorium/contracts';
import { Controller, Handles, readAfterCreate, type Call } from '@scriptorium/platform';
import { getUser, registerUser, requireFreeAddress } from '../../accounts/index.js';
import { putFirstPassword } from './passwords.operational.js';
import { PasswordHashing } from './scrypt.hashing.js';
import { requireStrength } from './strength.check.js';

/** Creates users, with a password if one is given. */
@Controller()
export class CreateUserController {
  constructor(private readonly hashing: PasswordHashing) {}

  @Handles(createUser)
  async create({ body: { password, ...person } }: InputOf<typeof createUser>, call: Call) {
    const id = call.idFor('user');
    const hash = password === undefined ? null : await this.hashed(call, password, person);
    if (!person.emailVerified) await requireFreeAddress(call, id, person.email);
    await registerUser(call, id, person);
    if (hash !== null && !call.store.dry) await putFirstPassword(call, id, hash);
    // The operator sent the address, so the answer shows it. Later reads follow the rules for everyone.
    return readAfterCreate(call, () => getUser(call, id, id));
  }

  private async hashed(
    call: Call,
    password: string,
    person: { email: string; displayName: string; kind: 'person' | 'service' },
  ): Promise<string> {
    if (person.kind === 'service')
      throw invalid('body.password', 'Must be absent for a service account, which cannot sign in');
    await requireStrength(call, password, [person.email, person.displayName], 'body.password');
    return this.hashing.hash(password);
  }
}
