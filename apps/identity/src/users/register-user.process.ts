import { AppError, blaming } from '@scriptorium/contracts';
import type { CommandContext } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
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
 * Records a new user. A verified address is reserved first: it belongs to one user. Repeating it with the same id and
 * `idem` changes nothing.
 * @throws AppError `already_exists` when another user has the address.
 */
export async function registerUser(context: ServiceContext, id: string, input: NewUser, command: CommandContext): Promise<void> {
  const append = () => context.store.handle(user, id, command, (state) => register(state, input));
  if (!input.emailVerified) {
    await append();
    return;
  }
  await withAddress(context, { id, email: input.email, command }, append);
}

/**
 * Notes that a person's address is theirs. Repeating it changes nothing.
 * @throws AppError `already_exists` when another user has the address.
 */
export async function verifyAddress(context: ServiceContext, id: string, email: string, command: CommandContext): Promise<void> {
  await withAddress(context, { id, email, command }, () => context.store.handle(user, id, command, verifyEmail));
}

interface Owner {
  id: string;
  email: string;
  command: CommandContext;
}

async function withAddress(context: ServiceContext, { id, email, command }: Owner, append: () => Promise<unknown>): Promise<void> {
  try {
    await context.store.reservations.reserve(addresses(context), { value: email, owner: id, context: command }, append);
  } catch (error) {
    if (error instanceof AppError && error.reason === 'already_exists') {
      throw blaming('already_exists', 'body.email', 'Another user has this address');
    }
    throw error;
  }
}
