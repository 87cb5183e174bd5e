import type { Store } from '@scriptorium/event-sourcing';
import type { Collection } from 'mongodb';

/** The hash of a person's password. It stands in no event: a log would keep those of all passwords they ever had. */
interface PasswordDocument {
  /** The person. */
  _id: string;
  hash: string;
}

function passwords(store: Store): Collection<PasswordDocument> {
  return store.database.collection<PasswordDocument>('op_passwords');
}

export async function findPassword(store: Store, user: string): Promise<string | null> {
  return (await passwords(store).findOne({ _id: user }))?.hash ?? null;
}

/** Sets a person's password, whatever it was. */
export async function putPassword(store: Store, user: string, hash: string): Promise<void> {
  await passwords(store).updateOne({ _id: user }, { $set: { hash } }, { upsert: true });
}

/** Sets the password of a new person; one that they have set meanwhile stays. */
export async function putFirstPassword(store: Store, user: string, hash: string): Promise<void> {
  await passwords(store).updateOne({ _id: user }, { $setOnInsert: { hash } }, { upsert: true });
}

/** Replaces a hash by one of the same password at the present cost, unless the password was changed meanwhile. */
export async function replaceHash(store: Store, user: string, from: string, to: string): Promise<void> {
  await passwords(store).updateOne({ _id: user, hash: from }, { $set: { hash: to } });
}

export async function dropPassword(store: Store, user: string): Promise<void> {
  await passwords(store).deleteOne({ _id: user });
}

/** People with a password, by id from `after` on. */
export async function peopleWithPassword(store: Store, after: string, limit: number): Promise<string[]> {
  const found = await passwords(store).find({ _id: { $gt: after } }, { projection: { _id: 1 } }).sort({ _id: 1 }).limit(limit).toArray();
  return found.map(({ _id }) => _id);
}
