import { defineAggregate } from '@scriptorium/event-sourcing';
import { retentionEvents, type RetentionEvent } from './retention.events.js';

/** The last day whose notifications are gone. Days are compared as texts. */
export interface Retention {
  through: string;
}

/** The day of a moment, `YYYY-MM-DD`. */
export function dayOf(time: string): string {
  return time.slice(0, 10);
}

function evolve({ through }: Retention, { data: { day } }: RetentionEvent): Retention {
  return { through: day > through ? day : through };
}

/**
 * How long notifications are kept. Their expiry is an event, so that a rebuilt read model has the same notifications.
 */
export const retention = defineAggregate({
  service: 'collaboration',
  entity: 'retention',
  events: retentionEvents,
  initial: { through: '' },
  evolve,
});

/** Lets the notifications of these days go. */
export function expire({ through }: Retention, days: readonly string[]): RetentionEvent[] {
  return days
    .filter((day) => day > through)
    .toSorted()
    .map((day) => ({ type: 'NotificationsExpired', data: { day } }));
}
