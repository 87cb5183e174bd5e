import type { Stored } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { users, type UserDocument } from '../users/user.projection.js';

/**
 * Who signs in with an address: its verified owner, otherwise the first person who was entered with it. Service accounts
 * do not sign in.
 */
export async function findPerson({ store }: ServiceContext, email: string): Promise<Stored<UserDocument> | null> {
  const found = await store.collection(users).find({ email: email.toLowerCase(), kind: 'person' }).sort({ _id: 1 }).toArray();
  return found.find(({ emailVerified }) => emailVerified) ?? found[0] ?? null;
}
