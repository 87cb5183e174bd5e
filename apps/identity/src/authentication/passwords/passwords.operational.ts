import type { Scope } from '@scriptorium/platform';
import type { Collection } from 'mongodb';

/** The hash of a person's password. It is in no event, since the log would keep the hashes of all former passwords. */
interface PasswordDocument {
  /** The id of the person. */
  _id: string;
  hash: string;
}

function passwords(scope: Pick<Scope, 'database'>): Collection<PasswordDocument> {
  return scope.database.collection<PasswordDocument>('op_passwords');
}

export async function findPassword(scope: Pick<Scope, 'database'>, user: string): Promise<string | null> {
  return (await passwords(scope).findOne({ _id: user }))?.hash ?? null;
}

/** Sets or replaces the password of a person. */
export async function putPassword(scope: Pick<Scope, 'database'>, user: string, hash: string): Promise<void> {
  await passwords(scope).updateOne({ _id: user }, { $set: { hash } }, { upsert: true });
}

/** Sets the password of a new person, unless they have set one themselves. */
export async function putFirstPassword(scope: Pick<Scope, 'database'>, user: string, hash: string): Promise<void> {
  await passwords(scope).updateOne({ _id: user }, { $setOnInsert: { hash } }, { upsert: true });
}

/** Replaces a hash by one with the current cost, unless the password was changed in the meantime. */
export async function replaceHash(
  scope: Pick<Scope, 'database'>,
  user: string,
  from: string,
  to: string,
): Promise<void> {
  await passwords(scope).updateOne({ _id: user, hash: from }, { $set: { hash: to } });
}

export async function dropPassword(scope: Pick<Scope, 'database'>, user: string): Promise<void> {
  await passwords(scope).deleteOne({ _id: user });
}

/** Ids of people with a password, in order, after the id `after`. */
export async function peopleWithPassword(
  scope: Pick<Scope, 'database'>,
  after: string,
  limit: number,
): Promise<string[]> {
  const found = await passwords(scope)
    .find({ _id: { $gt: after } }, { projection: { _id: 1 } })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id }) => _id);
}
