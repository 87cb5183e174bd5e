import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { members, provisionedUsers, type UserDocument, users } from '../../organization-read-models/index.js';
import { findPassword } from '../passwords/passwords.operational.js';

/**
 * The person who signs in with an address: its verified owner, otherwise somebody with a password, otherwise somebody
 * without an identity at a provider. Providers can create accounts with any address, so those come last. Service
 * accounts do not sign in.
 */
export async function findPerson(scope: Scope, email: string): Promise<Stored<UserDocument> | null> {
  const found = await scope.store
    .read(users)
    .find({ email: email.toLowerCase(), kind: 'person' })
    .sort({ _id: 1 })
    .toArray();
  const verified = found.find(({ emailVerified }) => emailVerified);
  if (verified !== undefined || found.length < 2) return verified ?? found[0] ?? null;
  for (const person of found) if ((await findPassword(scope, person._id)) !== null) return person;
  for (const person of found) if (!(await isKnownToProvider(scope, person._id))) return person;
  return found[0] ?? null;
}

async function isKnownToProvider({ store }: Scope, user: string): Promise<boolean> {
  const [signedIn, provisioned] = await Promise.all([
    store.read(members).findOne({ user, providers: { $ne: [] } }),
    store.read(provisionedUsers).findOne({ user, created: true }),
  ]);
  return signedIn !== null || provisioned !== null;
}
