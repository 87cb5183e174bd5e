import { referTo, type Notification } from '@scriptorium/contracts';
import type { Scope } from '@scriptorium/platform';
import { positionOf, type StoredNotification } from './inbox.queries.js';

/** A notification. `number`: that of its change request, if it has one. */
export function renderNotification(
  doc: StoredNotification,
  { read, number }: { read: boolean; number: number | undefined },
  urls: Scope['urls'],
): Notification {
  const { _id: id, kind, createdAt, actor, organization, space, changeRequest, comment, reply, review, page } = doc;
  return {
    object: 'notification',
    id,
    cursor: String(positionOf(doc)),
    kind,
    createdAt,
    read,
    ...(actor === null ? {} : { actor: referTo('user', actor) }),
    organization,
    ...present({ space, changeRequest, comment, reply, review, page }),
    urls: { app: appURL(doc, number, urls), location: `${urls.api}${pathOf(doc)}` },
  };
}

function present(ids: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).filter((entry): entry is [string, string] => entry[1] !== null));
}

/** The path of the nearest thing that has one. */
function pathOf({ organization, space, changeRequest, comment, reply, review }: StoredNotification): string {
  if (space === null) return `/orgs/${organization}`;
  const place = `/spaces/${space}${changeRequest === null ? '' : `/change-requests/${changeRequest}`}`;
  if (comment !== null) return `${place}/comments/${comment}${reply === null ? '' : `/replies/${reply}`}`;
  return review === null ? place : `${place}/reviews/${review}`;
}

/** The page of the app on which a notification is about something. */
export function appURL(
  { organization, space }: Pick<StoredNotification, 'organization' | 'space'>,
  number: number | undefined,
  urls: Scope['urls'],
): string {
  const place = space === null ? '' : `/s/${space}${number === undefined ? '' : `/~/changes/${number}`}`;
  return `${urls.app}/o/${organization}${place}`;
}
