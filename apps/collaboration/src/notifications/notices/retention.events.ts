import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import * as z from 'zod';

/** Stream `collaboration.retention-notifications`: what is too old to be kept. */
export const retentionEvents = defineEvents({
  /** All notifications of a day, `YYYY-MM-DD`, are too old. */
  NotificationsExpired: z.object({ day: z.string() }),
});
export type RetentionEvent = EventOf<typeof retentionEvents>;
