import type { NotificationKind } from '@scriptorium/contracts';
import {
  projection,
  type EventOf,
  type ReadModel,
  type Recorded,
  type StoreScope,
  type Write,
} from '@scriptorium/event-sourcing';
import { changeRequestEvents } from '../../change-requests/index.js';
import { commentEvents } from '../../comments/index.js';
import { retentionEvents } from './retention.events.js';
import { spacePurge, spaceTransfer } from '../../spaces/index.js';
import { erasureEvents, rosterEvents, teamEvents } from './identity.events.js';
import {
  commentParty,
  noticeEvents,
  noticeOf,
  requestParty,
  teamParty,
  type Notice,
  type NoticeEvent,
  type Subject,
} from './notice.js';
import { dayOf } from './retention.js';
import { peopleBefore, withoutPerson, withPerson, type PartyDocument } from './party.js';

/** A notification of one person about one event. Its id consists of the ids of both. */
export interface NotificationDocument extends Subject {
  user: string;
  organization: string;
  kind: NotificationKind;
  event: string;
  /** The position of the event. The position of the document changes when its space moves to another organization. */
  position: number;
  /** The user who did it; `null` if the product did. */
  actor: string | null;
  createdAt: string;
  /** The day of that, `YYYY-MM-DD`. */
  day: string;
}

const others = {
  requests: changeRequestEvents.pick('ChangeRequestCreated', 'ChangeRequestAbandoned'),
  comments: commentEvents.pick('CommentDeleted', 'CommentReplyDeleted'),
  teams: teamEvents.pick('TeamMemberAdded', 'TeamMemberRemoved', 'TeamDeleted'),
  members: rosterEvents.pick('MemberRemoved', 'RosterClosed'),
  expiry: retentionEvents,
};
type Consumed =
  | NoticeEvent
  | Recorded<
      | EventOf<(typeof others)[keyof typeof others]>
      | EventOf<typeof erasureEvents>
      | EventOf<typeof spacePurge>
      | EventOf<typeof spaceTransfer>
    >;
type Doc = NotificationDocument | PartyDocument;

/** Ids of users. A text may mention anything. */
const userId = /^[a-zA-Z0-9_-]{1,64}$/;

/** The notifications of some people, by id. */
function notified(event: NoticeEvent, notice: Notice, kind: NotificationKind, users: readonly string[]) {
  const { actor, organization, time } = event.meta;
  const by = notice.by ?? (actor.kind === 'user' ? actor.id : null);
  const of = { organization: organization ?? '', kind, event: event.id, actor: by, createdAt: time, day: dayOf(time) };
  const position = Number(event.position);
  const told = users.filter((user) => user !== by && userId.test(user));
  return new Map<string, Doc>(
    told.map((user) => [`${event.id}_${user}`, { user, ...of, position, ...notice.subject }]),
  );
}

function notices(event: NoticeEvent): Write<Doc>[] {
  const notice = noticeOf(event);
  if (notice === null) return [];
  const { named, parties = [] } = notice;
  const direct = named === undefined ? [] : [...notified(event, notice, named.kind, named.users)];
  const known = new Set(named?.users);
  return [
    ...direct.map(([put, doc]) => ({ put, doc })),
    ...parties.map(({ kind, of, who }): Write<Doc> => ({
      from: of,
      puts(party) {
        const people = peopleBefore(party as PartyDocument | null, event.position);
        const users = (who === 'all' ? people : people.slice(0, 1)).filter((user) => !known.has(user));
        return notified(event, notice, kind, users);
      },
    })),
  ];
}

/** Somebody comes to a party, which begins with the first one. */
function joining(id: string, event: Recorded, { user, space }: { user: string; space: string | null }): Write<Doc> {
  const person = { user, since: Number(event.position) };
  const begun: PartyDocument = { organization: event.meta.organization ?? '', space, people: [] };
  return { change: id, by: (party) => withPerson((party as PartyDocument | null) ?? begun, person) };
}

function writes(event: Consumed): Write<Doc>[] {
  const { entityId: id, meta } = event;
  const user = meta.actor.id;
  switch (event.type) {
    case 'CommentPosted':
    case 'CommentReplyPosted':
      return [...notices(event), joining(commentParty(id), event, { user, space: event.data.space })];
    case 'CommentEdited':
    case 'CommentReplyEdited':
    case 'BranchUpdated':
    case 'MemberJoined':
    case 'ChangeRequestMerged':
    case 'ChangeRequestMergeEnded':
      return notices(event);
    case 'ReviewSubmitted':
      return [...notices(event), joining(requestParty(id), event, { user, space: event.data.space })];
    case 'ReviewersRequested': {
      const { space, users } = event.data;
      const asked = users.map((one) => joining(requestParty(id), event, { user: one.user, space }));
      return [...notices(event), ...asked];
    }
    case 'ChangeRequestCreated':
      return [joining(requestParty(id), event, { user, space: event.data.space })];
    case 'TeamMemberAdded':
      return [joining(teamParty(id), event, { user: event.data.user, space: null })];
    default:
      return removals(event);
  }
}

function removals(
  event: Exclude<Consumed, NoticeEvent | { type: 'ChangeRequestCreated' | 'TeamMemberAdded' }>,
): Write<Doc>[] {
  const { entityId: id } = event;
  switch (event.type) {
    case 'CommentReplyDeleted':
      return [{ removeWhere: { comment: id, reply: event.data.reply } }];
    case 'CommentDeleted':
      return [{ remove: commentParty(id) }, { removeWhere: { comment: id } }];
    case 'ChangeRequestAbandoned':
      return [{ remove: requestParty(id) }];
    case 'TeamMemberRemoved': {
      const { user } = event.data;
      return [{ change: teamParty(id), by: (party) => party && withoutPerson(party as PartyDocument, user) }];
    }
    case 'TeamDeleted':
      return [{ remove: teamParty(id) }];
    case 'MemberRemoved':
      return [{ removeWhere: { user: event.data.user, organization: id } }];
    case 'NotificationsExpired':
      return [{ removeWhere: { day: event.data.day } }];
    case 'RosterClosed':
      return [{ removeWhere: { organization: id } }];
    case 'UserErased':
      return [{ removeWhere: { user: event.data.user } }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ removeWhere: { space: event.data.space } }];
    case 'SpaceTransferred':
      return [{ setWhere: { space: id }, fields: event.data }];
  }
}

/** All notifications, and the people who take part in what they are about. It has ids alone. */
export const notifications = projection({
  name: 'notification',
  version: 4,
  entities: [
    'comment',
    'request',
    'retention',
    'content.branch',
    'content.library',
    'content.space',
    'identity.roster',
    'identity.team',
    'identity.erasure',
  ],
  events: [...Object.values(noticeEvents), ...Object.values(others), erasureEvents, spacePurge, spaceTransfer],
  indexes: [
    { key: { user: 1, createdAt: -1, _id: -1 } },
    { key: { user: 1, position: 1 } },
    { key: { day: 1 } },
    { key: { event: 1 } },
    { key: { comment: 1 } },
    { key: { space: 1 } },
    { key: { organization: 1 } },
  ],
  writes,
});

/** The notifications among the documents. Queries have to name a person or an event, which parties do not have. */
export function notificationsIn(store: Pick<StoreScope, 'read'>): ReadModel<NotificationDocument> {
  return store.read(notifications) as ReadModel<NotificationDocument>;
}
