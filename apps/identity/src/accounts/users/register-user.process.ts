import { AppError, blaming } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { users } from '../../organization-read-models/index.js';
import { addresses } from './addresses.reservation.js';
import { register, user, verifyEmail } from './user.js';

export interface NewUser {
  email: string;
  emailVerified: boolean;
  displayName: string;
  kind: 'person' | 'service';
  operator: boolean;
}

/**
 * Registers a user. A verified address is reserved first, since it belongs to one user. Repeating it with the same id
 * and idempotency key changes nothing.
 * @throws AppError `already_exists` when another user has the address
 */
export async function registerUser(scope: Scope, id: string, input: NewUser): Promise<void> {
  const append = () => scope.store.handle(user, id, (state) => register(state, input));
  if (!input.emailVerified) {
    await append();
    return;
  }
  await withAddress(scope, { id, email: input.email }, append);
}

/**
 * Refuses an unverified address that somebody else has verified. Unverified addresses are not reserved.
 * @throws AppError `already_exists`
 */
export async function requireFreeAddress({ store }: Scope, id: string, email: string): Promise<void> {
  const owner = { email: email.toLowerCase(), emailVerified: true, _id: { $ne: id } };
  if ((await store.read(users).findOne(owner)) !== null) throw addressTaken();
}

/**
 * Records that a person has verified their address. Repeating it changes nothing.
 * @throws AppError `already_exists` when another user has the address
 */
export async function verifyAddress(scope: Scope, id: string, email: string): Promise<void> {
  await withAddress(scope, { id, email }, () => scope.store.handle(user, id, verifyEmail));
}

interface Owner {
  id: string;
  email: string;
}

async function withAddress(scope: Scope, { id, email }: Owner, append: () => Promise<unknown>): Promise<void> {
  try {
    await scope.store.reserve(addresses, { value: email, owner: id }, append);
  } catch (error) {
    if (error instanceof AppError && error.reason === 'already_exists') {
      throw addressTaken();
    }
    throw error;
  }
}

function addressTaken(): AppError {
  return blaming('already_exists', 'body.email', 'Another user has this address');
}
