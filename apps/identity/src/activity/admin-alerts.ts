import { defineAggregate } from '@scriptorium/event-sourcing';
import { type AdminAlertEvent, adminAlertEvents } from './admin-alerts.events.js';

/** Events of streams without an organization that its admins have to know about. No decision depends on it. */
export const adminAlerts = defineAggregate({
  service: 'identity',
  entity: 'notices',
  events: adminAlertEvents,
  initial: null,
  evolve: (state) => state,
});

/** Records that somebody else created a token for a member. */
export function recordToken(input: { user: string; token: string }): AdminAlertEvent[] {
  return [{ type: 'MemberTokenIssued', data: input }];
}
