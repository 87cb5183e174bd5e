import { invalid, type Notification } from '@scriptorium/contracts';
import { countUpTo, findPage, startBehind, type Page, type PageRequest, type Scope } from '@scriptorium/platform';
import { findRequest } from '../../change-requests/index.js';
import { behind, isRead, positionOf, unreadIn, type Inbox, type StoredNotification } from './inbox.queries.js';
import { notifications, notificationsIn } from '../notices/notification.projection.js';
import { renderNotification } from './notification.render.js';
import type { ReadMarks } from './read-marks.operational.js';

interface Wanted extends PageRequest {
  operation: string;
  /** Whose inbox it is. */
  user: string;
  unread: boolean;
}

/** A page of an inbox, the newest first. */
export async function listInbox(
  scope: Scope,
  inbox: Inbox,
  { operation, user, unread, ...request }: Wanted,
): Promise<Page<Notification>> {
  const page = await findPage(scope.cursors, {
    model: notificationsIn(scope.store),
    filter: unread ? unreadIn(inbox) : inbox.filter,
    sort: 'createdAt',
    binding: { operation, scope: { user, unread }, order: 'desc' },
    request,
  });
  return { ...page, items: await renderAll(scope, inbox.marks, page.items) };
}

/** What an inbox has behind a cursor, the oldest first. A page ends where all documents are known to be written. */
export async function followInbox(
  scope: Scope,
  inbox: Inbox,
  { after, unread, limit, page }: Pick<Wanted, 'unread' | 'limit' | 'page'> & { after: string },
): Promise<Page<Notification> & { more: boolean; next: { page: string } }> {
  if (page !== undefined) throw invalid('query.page', 'Cannot be given together with `after`');
  const model = notificationsIn(scope.store);
  const { start, head } = await startBehind(scope, notifications, after);
  const filter = unread ? unreadIn(inbox) : inbox.filter;
  const [found, count] = await Promise.all([
    model
      .find({ $and: [filter, behind(start, head)] })
      .sort({ position: 1 })
      .limit(limit + 1)
      .toArray(),
    countUpTo(model, filter),
  ]);
  const docs = found.slice(0, limit);
  const more = found.length > limit;
  const lastShown = docs.at(-1);
  const last = !more ? (start > head ? start : head) : lastShown === undefined ? start : positionOf(lastShown);
  const items = await renderAll(scope, inbox.marks, docs);
  return { items, count, more, next: { page: String(last < 0n ? 0n : last) } };
}

/** The number of a notification's change request, if it has one. */
export async function numberOf(
  scope: Scope,
  { space, changeRequest }: Pick<StoredNotification, 'space' | 'changeRequest'>,
): Promise<number | undefined> {
  if (space === null || changeRequest === null) return undefined;
  return (await findRequest(scope, space, changeRequest))?.number;
}

function renderAll(scope: Scope, marks: ReadMarks, docs: readonly StoredNotification[]): Promise<Notification[]> {
  return Promise.all(
    docs.map(async (doc) =>
      renderNotification(doc, { read: isRead(marks, doc), number: await numberOf(scope, doc) }, scope.urls),
    ),
  );
}
