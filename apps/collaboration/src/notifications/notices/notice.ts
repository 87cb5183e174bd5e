import type { NotificationKind } from '@scriptorium/contracts';
import type { EventOf, Recorded } from '@scriptorium/event-sourcing';
import { branchEvents } from '../../spaces/index.js';
import { changeRequestEvents } from '../../change-requests/index.js';
import { commentEvents } from '../../comments/index.js';
import { rosterEvents } from './identity.events.js';

/** The events of which people are notified. */
export const noticeEvents = {
  comments: commentEvents.pick('CommentPosted', 'CommentEdited', 'CommentReplyPosted', 'CommentReplyEdited'),
  requests: changeRequestEvents.pick(
    'ReviewersRequested',
    'ReviewSubmitted',
    'ChangeRequestMerged',
    'ChangeRequestMergeEnded',
  ),
  branches: branchEvents.pick('BranchUpdated'),
  members: rosterEvents.pick('MemberJoined'),
};
export type NoticeEvent = Recorded<EventOf<(typeof noticeEvents)[keyof typeof noticeEvents]>>;

/** What a notification is about, by ids. */
export interface Subject {
  space: string | null;
  changeRequest: string | null;
  comment: string | null;
  reply: string | null;
  review: string | null;
  page: string | null;
}

/** Whom an event is told, and of what. */
export interface Notice {
  subject: Subject;
  /** People whom the event names. */
  named?: { kind: NotificationKind; users: readonly string[] };
  /**
   * People of parties: all, or only the first person. People whom the event names get only the notification that names
   * them.
   */
  parties?: readonly { kind: NotificationKind; of: string; who: 'first' | 'all' }[];
  /** Who did it, if not the actor. */
  by?: string;
}

const nothing: Subject = { space: null, changeRequest: null, comment: null, reply: null, review: null, page: null };

/** The id of the party of a change request: its author is the first one. */
export function requestParty(changeRequest: string): string {
  return `request/${changeRequest}`;
}

/** The id of the party of a comment: its author, and who has replied. */
export function commentParty(comment: string): string {
  return `comment/${comment}`;
}

/** The id of the party of a team: its members. */
export function teamParty(team: string): string {
  return `team/${team}`;
}

type RequestNotice = Extract<
  NoticeEvent,
  { type: 'ReviewersRequested' | 'ReviewSubmitted' | 'ChangeRequestMerged' | 'ChangeRequestMergeEnded' }
>;

/** Whom an event of a change request is told. */
function noticeOfRequest(event: RequestNotice): Notice | null {
  const { entityId: changeRequest, data } = event;
  const subject = { ...nothing, space: data.space, changeRequest };
  const of = requestParty(changeRequest);
  switch (event.type) {
    case 'ReviewersRequested': {
      const [kind, who] = ['review_requested', 'all'] as const;
      const { users, teams } = event.data;
      return {
        subject,
        named: { kind, users: users.map(({ user }) => user) },
        parties: teams.map((team) => ({ kind, of: teamParty(team), who })),
      };
    }
    case 'ReviewSubmitted': {
      const { review } = event.data;
      return { subject: { ...subject, review }, parties: [{ kind: 'review_submitted', of, who: 'first' }] };
    }
    case 'ChangeRequestMerged':
      return { subject, by: event.data.by, parties: [{ kind: 'change_request_merged', of, who: 'all' }] };
    case 'ChangeRequestMergeEnded': {
      const { by, conflicts } = event.data;
      if (conflicts === null || conflicts === 0) return null;
      return { subject, by, parties: [{ kind: 'change_request_conflicts', of, who: 'first' }] };
    }
  }
}

type CommentNotice = Extract<
  NoticeEvent,
  { type: 'CommentPosted' | 'CommentReplyPosted' | 'CommentEdited' | 'CommentReplyEdited' }
>;

/** Whom it is told that somebody has written or changed a comment or a reply. */
function noticeOfComment(event: CommentNotice): Notice {
  switch (event.type) {
    case 'CommentPosted': {
      const { space, changeRequest, review, page, mentions } = event.data;
      const subject = { ...nothing, space, changeRequest, comment: event.entityId, review, page };
      const named = { kind: 'mentioned' as const, users: mentions };
      // The comment of a review is told with the review.
      if (changeRequest === null || review !== null) return { subject, named };
      return { subject, named, parties: [{ kind: 'comment_on_yours', of: requestParty(changeRequest), who: 'first' }] };
    }
    case 'CommentReplyPosted': {
      const { space, changeRequest, reply, mentions } = event.data;
      return {
        subject: { ...nothing, space, changeRequest, comment: event.entityId, reply },
        named: { kind: 'mentioned', users: mentions },
        parties: [{ kind: 'comment_replied', of: commentParty(event.entityId), who: 'all' }],
      };
    }
    case 'CommentEdited':
    case 'CommentReplyEdited': {
      const { space, changeRequest, mentioned } = event.data;
      const reply = event.type === 'CommentEdited' ? null : event.data.reply;
      const subject = { ...nothing, space, changeRequest, comment: event.entityId, reply };
      return { subject, named: { kind: 'mentioned', users: mentioned } };
    }
  }
}

/** Whom an event is told. Whoever did it is never told. Pure. */
export function noticeOf(event: NoticeEvent): Notice | null {
  switch (event.type) {
    case 'ReviewersRequested':
    case 'ReviewSubmitted':
    case 'ChangeRequestMerged':
    case 'ChangeRequestMergeEnded':
      return noticeOfRequest(event);
    case 'CommentPosted':
    case 'CommentReplyPosted':
    case 'CommentEdited':
    case 'CommentReplyEdited':
      return noticeOfComment(event);
    case 'BranchUpdated': {
      if (event.data.conflicts === null) return null;
      const { entityId: changeRequest } = event;
      return {
        subject: { ...nothing, space: event.data.space, changeRequest },
        parties: [{ kind: 'change_request_conflicts', of: requestParty(changeRequest), who: 'first' }],
      };
    }
    case 'MemberJoined': {
      // Whoever joins by themselves knows.
      if (event.data.unaccepted !== true) return null;
      return { subject: nothing, named: { kind: 'invited', users: [event.data.user] } };
    }
  }
}

/**
 * Whether an event may be told to anybody. Most comments are not: they mention nobody, and are on no change request.
 * Pure.
 */
export function isToldToSome(event: NoticeEvent): boolean {
  const notice = noticeOf(event);
  if (notice === null) return false;
  const { named, parties = [] } = notice;
  return parties.length > 0 || (named?.users ?? []).length > 0;
}
