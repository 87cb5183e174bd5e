import { defineAggregate } from '@scriptorium/event-sourcing';
import { noticeEvents, type NoticeEvent } from './notices.events.js';

/** What an organization's admins have to know and happens in streams of nobody's organization. Nothing is decided on it. */
export const notices = defineAggregate({
  service: 'identity',
  entity: 'notices',
  events: noticeEvents,
  initial: null,
  evolve: (state) => state,
});

/** A token was made for a member by somebody else. */
export function noteToken(input: { user: string; token: string }): NoticeEvent[] {
  return [{ type: 'MemberTokenIssued', data: input }];
}
