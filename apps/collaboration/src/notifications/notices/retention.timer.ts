import { collaborationBounds } from '@scriptorium/contracts';
import type { StoreScope, TimerHandler } from '@scriptorium/event-sourcing';
import { requireLive, type ServiceContext } from '@scriptorium/platform';
import { notifications, notificationsIn } from './notification.projection.js';
import { dayOf, expire, retention } from './retention.js';

/** The command of the timer that lets old notifications go. */
export const expiryCommand = 'expire_notifications';

const dayMs = 86_400_000;
/** Days that one event store append lets go. */
const mostDays = 100;

/** Has old notifications go at the end of the present day. There is one timer for all. */
export async function scheduleExpiry(store: StoreScope, now: number): Promise<void> {
  const at = (Math.floor(now / dayMs) + 1) * dayMs;
  await store.in(null).schedule({ id: expiryCommand, at, command: expiryCommand, data: null });
}

/** Lets the notifications go that are not shown any more. It comes back every day as long as there are any. */
export function expiryTimer(context: ServiceContext): TimerHandler {
  return async ({ at }, store) => {
    requireLive(store, [notifications]);
    const now = context.now();
    const { raw } = notificationsIn(store);
    const last = dayOf(new Date(now - (collaborationBounds.notificationDays + 1) * dayMs).toISOString());
    const days: unknown[] = await raw.distinct('day', { day: { $lte: last } });
    const old = days.filter((day): day is string => typeof day === 'string').toSorted();
    if (old.length > 0)
      await store.in(null).handle(retention, 'notifications', (state) => expire(state, old.slice(0, mostDays)));
    const isLeft = (await raw.findOne({ day: { $gt: last } }, { projection: { _id: 1 } })) !== null;
    if (isLeft || old.length > mostDays) await scheduleExpiry(store, Math.max(at, now));
  };
}
