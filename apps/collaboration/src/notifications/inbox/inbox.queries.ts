import type { ServiceAccess } from '@scriptorium/access';
import { AppError, collaborationBounds, notificationKinds, type Principal } from '@scriptorium/contracts';
import type { Stored } from '@scriptorium/event-sourcing';
import type { Scope } from '@scriptorium/platform';
import type { Filter } from 'mongodb';
import { viewableSpaces } from '../../spaces/index.js';
import { notificationsIn, type NotificationDocument } from '../notices/notification.projection.js';
import { readMarksOf, type ReadMarks } from './read-marks.operational.js';
import { settingsOf } from '../settings.operational.js';

export type StoredNotification = Stored<NotificationDocument>;
export type NotificationFilter = Filter<StoredNotification>;

/** Whose inbox it is: a caller, or any user. */
export type InboxOwner = Pick<Principal, 'id' | 'organization'>;

/** The notifications that somebody is shown now. */
export interface Inbox {
  filter: NotificationFilter;
  marks: ReadMarks;
}

const dayMs = 86_400_000;

/**
 * The inbox of somebody, as it is now: what is about spaces that they may view now, in organizations that they belong
 * to, of the kinds that they want, and not too old. `organization`: that of one organization.
 */
export async function inboxOf(
  scope: Scope,
  access: ServiceAccess,
  owner: InboxOwner,
  organization?: string,
): Promise<Inbox> {
  const own = { user: owner.id, ...(await keptSince(scope, owner.id)) };
  const all = organization === undefined ? await valuesOf(scope, 'organization', own) : [organization];
  const [marks, ...parts] = await Promise.all([
    readMarksOf(scope, owner.id),
    ...all.map((id) => shownIn(scope, access, owner, { ...own, organization: id })),
  ]);
  const shown = parts.flatMap((part) => (part === null ? [] : [part]));
  return { filter: shown.length === 0 ? nothing : { ...own, $or: shown }, marks };
}

const nothing: NotificationFilter = { user: { $in: [] } };

/** The notifications of one organization that are shown. */
async function shownIn(
  scope: Scope,
  access: ServiceAccess,
  owner: InboxOwner,
  own: NotificationFilter & { organization: string },
): Promise<NotificationFilter | null> {
  const { organization } = own;
  const place = await access.placeIn(scope, organization, owner);
  if (place === null || place.withoutSSO) return null;
  const [{ inbox }, spaces] = await Promise.all([
    settingsOf(scope, { organization, user: owner.id }),
    valuesOf(scope, 'space', own),
  ]);
  const kinds = notificationKinds.filter((kind) => inbox[kind]);
  const viewable = await viewableSpaces(scope, access, place, spaces);
  return { organization, kind: { $in: kinds }, space: { $in: [null, ...viewable] } };
}

/** From when on notifications are kept: for some days, and of very many the newest. */
async function keptSince({ store, now }: Scope, user: string): Promise<{ createdAt: { $gte: string } }> {
  const oldest = new Date(now() - collaborationBounds.notificationDays * dayMs).toISOString();
  const [last] = await notificationsIn(store)
    .find({ user, createdAt: { $gte: oldest } })
    .sort({ createdAt: -1, _id: -1 })
    .skip(collaborationBounds.notifications - 1)
    .limit(1)
    .toArray();
  return { createdAt: { $gte: last?.createdAt ?? oldest } };
}

async function valuesOf(
  { store }: Scope,
  field: 'organization' | 'space',
  filter: NotificationFilter,
): Promise<string[]> {
  const found: unknown[] = await notificationsIn(store).raw.distinct(field, filter as object);
  return found.filter((value) => typeof value === 'string');
}

/** What is unread of an inbox. */
export function unreadIn({ filter, marks }: Inbox): NotificationFilter {
  const unread: NotificationFilter[] = [filter, { position: { $gt: Number(marks.upTo) } }];
  return { $and: [...unread, { _id: { $nin: [...marks.single] } }] };
}

/** Selects the notifications after one position and up to another one. */
export function behind(after: bigint, through: bigint): NotificationFilter {
  return { position: { $gt: Number(after), $lte: Number(through) } };
}

export function positionOf({ position }: Pick<StoredNotification, 'position'>): bigint {
  return BigInt(position);
}

export function isRead({ upTo, single }: ReadMarks, doc: StoredNotification): boolean {
  return positionOf(doc) <= upTo || single.has(doc._id);
}

/** A notification of somebody's inbox. @throws AppError `not_found`, also for one of somebody else */
export async function requireNotification(scope: Scope, { filter }: Inbox, id: string): Promise<StoredNotification> {
  const doc = await notificationsIn(scope.store).findOne({ $and: [filter, { _id: id }] });
  if (doc === null) throw new AppError('not_found');
  return doc;
}
