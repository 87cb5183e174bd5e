import { defineAggregate } from '@scriptorium/event-sourcing';
import { type NoticeEvent, noticeEvents } from '../events/index.js';

/** What the admins of an organization have to know of streams that belong to no organization. No decision depends on it. */
export const adminAlerts = defineAggregate({
  service: 'identity',
  entity: 'notices',
  events: noticeEvents,
  initial: null,
  evolve: (state) => state,
});

/** A token was made for a member by somebody else. */
export function recordToken(input: { user: string; token: string }): NoticeEvent[] {
  return [{ type: 'MemberTokenIssued', data: input }];
}
