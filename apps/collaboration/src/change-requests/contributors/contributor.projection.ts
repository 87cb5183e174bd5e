import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { changeRequestEvents, commentEvents } from '../change-request.events.js';
import { abandonment, branchEvents, spacePurge } from '../../spaces/index.js';

/** What somebody has done in a change request, one document for each kind of action. */
export interface ContributorDocument {
  space: string;
  changeRequest: string;
  user: string;
  action: 'edit' | 'comment' | 'review';
  /** The number of actions. It includes actions that were deleted later. */
  count: number;
  /** Sorts by `count`, the highest first, and then by user. */
  rank: string;
  updatedAt: string;
}

const revisions = branchEvents.pick('RevisionCreated');
const posts = commentEvents.pick('CommentPosted', 'CommentReplyPosted');
const reviews = changeRequestEvents.pick('ReviewSubmitted');
type Action = Recorded<EventOf<typeof revisions> | EventOf<typeof posts> | EventOf<typeof reviews>>;

/** More than any count. */
const beyond = 10 ** 9;

function acted(
  { data: { space }, meta: { actor, time: updatedAt } }: Action,
  changeRequest: string,
  action: ContributorDocument['action'],
): Write<ContributorDocument>[] {
  const { id: user } = actor;
  // Events of the system do not count: they record what a person has done before.
  if (actor.kind !== 'user') return [];
  return [
    {
      change: `${changeRequest}:${user}:${action}`,
      by: (doc) => {
        const count = (doc?.count ?? 0) + 1;
        const rank = `${String(beyond - count).padStart(10, '0')}:${user}`;
        return { space, changeRequest, user, action, count, rank, updatedAt };
      },
    },
  ];
}

function writes(
  event: Action | Recorded<EventOf<typeof spacePurge> | EventOf<typeof abandonment>>,
): Write<ContributorDocument>[] {
  switch (event.type) {
    case 'RevisionCreated':
      // The branch of the main content has the id of the space.
      return event.entityId === event.data.space ? [] : acted(event, event.entityId, 'edit');
    case 'CommentPosted':
    case 'CommentReplyPosted':
      return event.data.changeRequest === null ? [] : acted(event, event.data.changeRequest, 'comment');
    case 'ReviewSubmitted':
      return acted(event, event.entityId, 'review');
    case 'ChangeRequestAbandoned':
      return [{ removeWhere: { changeRequest: event.entityId } }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ removeWhere: { space: event.data.space } }];
  }
}

/** Who has done what in which change request. */
export const contributors = projection({
  name: 'change_request_contributor',
  version: 2,
  entities: ['request', 'comment', 'content.branch', 'content.library'],
  events: [revisions, posts, reviews, spacePurge, abandonment],
  indexes: [{ key: { changeRequest: 1, rank: 1, _id: 1 } }, { key: { space: 1 } }],
  writes,
});
