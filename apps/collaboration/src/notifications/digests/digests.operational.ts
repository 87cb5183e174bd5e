import { positionFrom } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { Long, type Collection } from 'mongodb';
import type { PeopleFilter, Person } from '../settings.operational.js';

/** How far a member was told by mail, and when the next digest is due. */
interface DigestDocument extends Person {
  /** `<organization>_<user>` */
  _id: string;
  /** Epoch ms; `null` while nothing is new. */
  due: number | null;
  /** How often something became new. */
  changes: number;
  /** Everything up to this position was looked at. */
  through: Long;
}

/** A digest that is due. */
export interface DueDigest extends Person {
  id: string;
  changes: number;
  through: bigint;
}

const name = 'op_notification_digests';
export const digestIndexes = {
  [name]: [
    { key: { due: 1, _id: 1 }, name: 'due_id' },
    { key: { user: 1 }, name: 'user' },
    { key: { organization: 1 }, name: 'organization' },
  ],
} as const;

function digests({ database }: Pick<Scope, 'database'>): Collection<DigestDocument> {
  return database.collection<DigestDocument>(name);
}

/** Has digests of these people made at `due`, because of an event at `position`. One that is due earlier stays so. */
export async function expectDigests(
  scope: Pick<Scope, 'database'>,
  people: readonly Person[],
  { due, position }: { due: number; position: bigint },
): Promise<void> {
  if (people.length === 0) return;
  const through = Long.fromBigInt(position - 1n);
  await digests(scope).bulkWrite(
    people.flatMap(({ organization, user }) => {
      const _id = `${organization}_${user}`;
      const begun = { organization, user, through, due };
      return [
        { updateOne: { filter: { _id }, update: { $setOnInsert: begun, $inc: { changes: 1 } }, upsert: true } },
        { updateOne: { filter: { _id, due: null }, update: { $set: { due } } } },
      ];
    }),
  );
}

/** Some of the digests that are due. `but`: the ids of some that are not wanted. */
export async function dueDigests(
  scope: Pick<Scope, 'database'>,
  at: number,
  { limit, but }: { limit: number; but: string[] },
): Promise<DueDigest[]> {
  const found = await digests(scope)
    .find({ due: { $lte: at }, _id: { $nin: but } })
    .sort({ due: 1, _id: 1 })
    .limit(limit)
    .toArray();
  return found.map(({ _id: id, organization, user, changes, through }) => ({
    id,
    organization,
    user,
    changes,
    through: positionFrom(through),
  }));
}

/** A digest was made of everything up to `through`. What became new meanwhile is left to the next one, at `next`. */
export async function settleDigest(
  scope: Pick<Scope, 'database'>,
  { id, changes }: Pick<DueDigest, 'id' | 'changes'>,
  { through, next }: { through: bigint; next: number },
): Promise<void> {
  const position = Long.fromBigInt(through);
  // A read model that is built anew is behind for a while.
  await digests(scope).updateOne({ _id: id }, { $set: { due: next }, $max: { through: position } });
  await digests(scope).updateOne({ _id: id, changes }, { $set: { due: null } });
}

/** Deletes what is known of digests: of an organization, of a person, or of a person there. */
export async function dropDigests(scope: Pick<Scope, 'database'>, of: PeopleFilter): Promise<void> {
  await digests(scope).deleteMany({ ...of });
}
