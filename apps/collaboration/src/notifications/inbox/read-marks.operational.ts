import { collaborationBounds } from '@scriptorium/contracts';
import { positionFrom } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import { Long, type Collection } from 'mongodb';

/** Records that a person has read one notification, or all notifications up to a position. */
interface ReadMarkDocument {
  /** The id of the notification, or `<user>/all`. */
  _id: string;
  user: string;
  /** The position of the notification, or of the last one. */
  position: Long;
}

/** What a person has read. */
export interface ReadMarks {
  /** Everything up to this position. */
  upTo: bigint;
  /** And these notifications. */
  single: ReadonlySet<string>;
}

const name = 'op_notification_reads';
export const readMarkIndexes = { [name]: [{ key: { user: 1, position: -1 }, name: 'user_position' }] } as const;

function marks({ database }: Pick<Scope, 'database'>): Collection<ReadMarkDocument> {
  return database.collection<ReadMarkDocument>(name);
}

function allOf(user: string): string {
  return `${user}/all`;
}

export async function readMarksOf(scope: Pick<Scope, 'database'>, user: string): Promise<ReadMarks> {
  const found = await marks(scope).find({ user }).toArray();
  const all = found.find(({ _id }) => _id === allOf(user));
  const single = new Set(found.filter((mark) => mark !== all).map(({ _id }) => _id));
  return { upTo: all === undefined ? -1n : positionFrom(all.position), single };
}

/** More marks than notifications are shown. Of more than these the oldest are dropped. */
const mostMarks = 2 * collaborationBounds.notifications;

/** Marks one notification as read. */
export async function markRead(
  scope: Pick<Scope, 'database'>,
  { user, id, position }: { user: string; id: string; position: bigint },
): Promise<void> {
  const mark = { user, position: Long.fromBigInt(position) };
  await marks(scope).updateOne({ _id: id }, { $set: mark }, { upsert: true });
  const ofOne = { user, _id: { $ne: allOf(user) } };
  const [oldest] = await marks(scope).find(ofOne).sort({ position: -1 }).skip(mostMarks).limit(1).toArray();
  if (oldest !== undefined) await marks(scope).deleteMany({ ...ofOne, position: { $lte: oldest.position } });
}

/** Marks all notifications up to a position as read. */
export async function markAllRead(scope: Pick<Scope, 'database'>, user: string, upTo: bigint): Promise<void> {
  const position = Long.fromBigInt(upTo);
  await marks(scope).updateOne({ _id: allOf(user) }, { $set: { user }, $max: { position } }, { upsert: true });
  await marks(scope).deleteMany({ user, position: { $lte: position }, _id: { $ne: allOf(user) } });
}

/** Deletes all marks of a person. */
export async function dropReadMarks(scope: Pick<Scope, 'database'>, user: string): Promise<void> {
  await marks(scope).deleteMany({ user });
}
