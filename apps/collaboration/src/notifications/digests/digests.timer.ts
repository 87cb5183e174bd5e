import type { ServiceAccess } from '@scriptorium/access';
import { mailedNotifications, mailNotifications, type NotificationKind } from '@scriptorium/contracts';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import { ask, requireLive, type Scope, type ServiceContext } from '@scriptorium/platform';
import { dropDigests, dueDigests, settleDigest, type DueDigest } from './digests.operational.js';
import { behind, inboxOf, unreadIn, type NotificationFilter, type StoredNotification } from '../inbox/inbox.queries.js';
import { notifications, notificationsIn } from '../notices/notification.projection.js';
import { appURL } from '../inbox/notification.render.js';
import { numberOf } from '../inbox/notifications.queries.js';
import { hasAskedForMail, settingsOf } from '../settings.operational.js';

/** The command of the timer that has digests mailed. */
export const digestsCommand = 'mail_digests';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const perLook = 50;
/** When so many digests fail, the others would as well. */
const mostFailed = 100;
/** A timer may take 30 s. */
const workForMs = 15_000;

/** Kinds that tell what follows from something that the person has done in the organization. */
const ownDoing: ReadonlySet<NotificationKind> = new Set([
  'review_submitted',
  'comment_replied',
  'comment_on_yours',
  'change_request_merged',
  'change_request_conflicts',
]);

/** The next time at which digests are made. `hour`: of the day, in UTC. */
export function nextDigestTime(now: number, hour: number): number {
  const today = Math.floor(now / dayMs) * dayMs + hour * hourMs;
  return today > now ? today : today + dayMs;
}

/**
 * Has the digests made that are due at this time. There is one timer for each such time, so that none replaces another
 * one.
 */
export function scheduleDigests(store: StoreScope, at: number): Promise<void> {
  return scheduleTimer(store, `${digestsCommand}:${at}`, at);
}

async function scheduleTimer(store: StoreScope, id: string, at: number): Promise<void> {
  await store.in(null).schedule({ id, at, command: digestsCommand, data: null });
}

/**
 * Makes the digests that are due, one after the other, and goes on a second later when that takes long. One that fails
 * holds up no other one: it stays due, and the timer fails at the end of the round.
 */
export function digestsTimer(context: ServiceContext, access: ServiceAccess, hour: number): TimerHandler {
  return async ({ id, at }, store) => {
    requireLive(store, [notifications]);
    const scope = context.scope(store);
    const until = performance.now() + workForMs;
    const next = nextDigestTime(Math.max(at, context.now()), hour);
    const failed = new Map<string, Error>();
    for (;;) {
      const due = await dueDigests(scope, at, { limit: perLook, but: [...failed.keys()] });
      for (const digest of due) {
        if (performance.now() > until) return scheduleTimer(store, id, at + 1_000);
        await makeDigest(scope, access, digest, { at, next }).catch((error: unknown) =>
          failed.set(digest.id, errorOf(error)),
        );
      }
      if (due.length < perLook || failed.size >= mostFailed) break;
    }
    const [first] = failed.values();
    if (first !== undefined) throw first;
  };
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * Asks identity to mail what somebody has not read and was not mailed before. It is judged by what they may view now. A
 * repetition asks for the same digest, which identity mails once.
 */
async function makeDigest(
  scope: Scope,
  access: ServiceAccess,
  digest: DueDigest,
  { at, next }: { at: number; next: number },
): Promise<void> {
  const { id, organization, user } = digest;
  const through = await scope.store.written(notifications);
  if ((await access.placeIn(scope, organization, { id: user })) === null)
    return dropDigests(scope, { organization, user });
  const { email } = await settingsOf(scope, { organization, user });
  if (email === 'daily') {
    const { docs, count } = await newsFor(scope, access, digest, through);
    if (count > 0) {
      const items = await Promise.all(docs.map((doc) => mailed(scope, doc)));
      const about = { id: `${id}_${new Date(at).toISOString().slice(0, 10)}`, organization, user };
      const wanted = docs.some(({ kind }) => ownDoing.has(kind)) || (await hasAskedForMail(scope, about));
      await ask(scope, mailNotifications, { ...about, items, more: count - items.length, wanted }, id);
    }
  }
  await settleDigest(scope, digest, { through, next });
}

/** What is unread and new for a digest, the newest first. */
async function newsFor(
  scope: Scope,
  access: ServiceAccess,
  { organization, user, through: after }: DueDigest,
  through: bigint,
): Promise<{ docs: StoredNotification[]; count: number }> {
  const inbox = await inboxOf(scope, access, { id: user }, organization);
  const range = behind(after, through);
  const filter: NotificationFilter = { $and: [unreadIn(inbox), range] };
  const model = notificationsIn(scope.store);
  const newest = model.find(filter).sort({ createdAt: -1, _id: -1 }).limit(mailedNotifications);
  const [docs, count] = await Promise.all([newest.toArray(), model.count(filter)]);
  return { docs, count: Math.max(count, docs.length) };
}

/** A notification as a mail names it: by ids. */
async function mailed(scope: Scope, doc: StoredNotification) {
  const number = await numberOf(scope, doc);
  return {
    kind: doc.kind,
    url: appURL(doc, number, scope.urls),
    ...(doc.actor === null ? {} : { actor: doc.actor }),
    ...(number === undefined ? {} : { number }),
  };
}
