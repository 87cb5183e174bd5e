import { commentsChanged } from '@scriptorium/contracts';
import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { branchEvents, spacePurge, spaceTransfer } from '../../spaces/index.js';
import { changeRequestEvents, commentEvents, numberEvents, type ChangeRequestEvent } from '../change-request.events.js';
import { requestedAfter, type Requested } from './requested-after.js';

export interface ChangeRequestDocument {
  organization: string;
  space: string;
  /** `null` until it exists. */
  number: number | null;
  status: 'draft' | 'open' | 'archived' | 'merged';
  author: string;
  createdAt: string;
  updatedAt: string;
  text: string | null;
  conversationsIssuesCluster: string | null;
  agentTask: string | null;
  /** The newest revision of its content. */
  revision: string | null;
  /** The revision of the space that it was created from. */
  initial: string | null;
  /** The newest revision of the space that it has taken over since then. */
  ancestor: string | null;
  /** The one that counts as taken over when its conflicts are resolved. */
  pending: string | null;
  /** The revision of the space that it was merged into. */
  merged: string | null;
  mergedBy: string | null;
  mergedAt: string | null;
  requested: Requested;
  /** Open comments on it. */
  comments: number;
  /** Who has changed its content, commented or reviewed. */
  contributors: string[];
}

const revised = branchEvents.pick(
  'BranchOpened',
  'RevisionCreated',
  'BranchUpdated',
  'BranchConflictsResolved',
  'BranchMerged',
  'BranchReopened',
);
const commented = commentEvents.pick(
  'CommentPosted',
  'CommentResolved',
  'CommentReopened',
  'CommentDeleted',
  'CommentReplyPosted',
);
type Consumed = Recorded<
  | ChangeRequestEvent
  | EventOf<typeof numberEvents>
  | EventOf<typeof revised>
  | EventOf<typeof commented>
  | EventOf<typeof spacePurge>
  | EventOf<typeof spaceTransfer>
>;
type RequestWrite = Write<ChangeRequestDocument>;

function contributed(doc: ChangeRequestDocument, user: string): ChangeRequestDocument {
  return doc.contributors.includes(user) ? doc : { ...doc, contributors: [...doc.contributors, user] };
}

function created({
  data,
  meta: { time, actor, organization },
}: Recorded<Extract<ChangeRequestEvent, { type: 'ChangeRequestCreated' }>>): ChangeRequestDocument {
  const { space, text, conversationsIssuesCluster, agentTask } = data;
  return {
    organization: organization ?? '',
    space,
    number: null,
    status: 'draft',
    author: actor.id,
    createdAt: time,
    updatedAt: time,
    text,
    conversationsIssuesCluster,
    agentTask,
    revision: null,
    initial: null,
    ancestor: null,
    pending: null,
    merged: null,
    mergedBy: null,
    mergedAt: null,
    requested: [],
    comments: 0,
    contributors: [],
  };
}

function requestWrites(event: Recorded<ChangeRequestEvent>): RequestWrite[] {
  const { entityId: id } = event;
  const { time: updatedAt } = event.meta;
  switch (event.type) {
    case 'ChangeRequestCreated':
      return [{ put: id, doc: created(event) }];
    case 'ChangeRequestAbandoned':
      return [{ remove: id }];
    case 'ChangeRequestDescribed':
      return [{ set: id, fields: { text: event.data.text, updatedAt } }];
    case 'ChangeRequestOpened':
      return [{ set: id, fields: { status: 'open', updatedAt } }];
    case 'ChangeRequestReopened':
      return [{ set: id, fields: { status: 'open', mergedBy: null, mergedAt: null, updatedAt } }];
    case 'ChangeRequestConvertedToDraft':
      return [{ set: id, fields: { status: 'draft', updatedAt } }];
    case 'ChangeRequestArchived':
      return [{ set: id, fields: { status: 'archived', updatedAt } }];
    case 'ChangeRequestMergeBegan':
    case 'ChangeRequestReopeningBegan':
    case 'ChangeRequestMergeEnded':
      return [];
    case 'ChangeRequestMerged': {
      const { by: mergedBy, revision: merged } = event.data;
      return [{ set: id, fields: { status: 'merged', merged, mergedBy, mergedAt: updatedAt, updatedAt } }];
    }
    case 'ReviewersRequested':
    case 'ReviewRequestWithdrawn':
      return [{ change: id, by: (doc) => doc && { ...doc, requested: requestedAfter(doc.requested, event) } }];
    case 'ReviewSubmitted': {
      const reviewed = (doc: ChangeRequestDocument) => ({ ...doc, requested: requestedAfter(doc.requested, event) });
      return [{ change: id, by: (doc) => doc && contributed(reviewed(doc), event.meta.actor.id) }];
    }
  }
}

function commentWrites(event: Recorded<EventOf<typeof commented>>): RequestWrite[] {
  const { changeRequest } = event.data;
  if (changeRequest === null) return [];
  const user = event.meta.actor.id;
  const contributes = event.type === 'CommentPosted' || event.type === 'CommentReplyPosted';
  const comments = event.type === 'CommentReplyPosted' ? 0 : commentsChanged(event).open;
  return [
    ...(contributes ? [{ change: changeRequest, by: byContribution(user) }] : []),
    ...(comments === 0 ? [] : [{ inc: changeRequest, by: { comments } }]),
  ];
}

const byContribution = (user: string) => (doc: ChangeRequestDocument | null) => doc && contributed(doc, user);

/** What happens to its branch of content. */
function revisedBy(doc: ChangeRequestDocument, event: Recorded<EventOf<typeof revised>>): ChangeRequestDocument {
  switch (event.type) {
    case 'BranchOpened': {
      const revision = event.data.from?.revision ?? null;
      return { ...doc, revision, initial: revision };
    }
    case 'RevisionCreated':
      return { ...contributed(doc, event.meta.actor.id), revision: event.data.revision, updatedAt: event.meta.time };
    case 'BranchUpdated': {
      const { ancestor, conflicts } = event.data;
      return conflicts === null
        ? { ...doc, ancestor: ancestor.revision, pending: null }
        : { ...doc, pending: ancestor.revision };
    }
    case 'BranchConflictsResolved':
      return event.data.left === null ? { ...doc, ancestor: doc.pending ?? doc.ancestor, pending: null } : doc;
    case 'BranchMerged':
      return { ...doc, merged: event.data.revision };
    // It goes on from the revision that it was merged into.
    case 'BranchReopened':
      return { ...doc, revision: doc.merged ?? doc.revision, ancestor: doc.merged ?? doc.ancestor, merged: null };
  }
}

type SpaceEvent = Recorded<EventOf<typeof spacePurge> | EventOf<typeof spaceTransfer>>;
const isOfSpace = (event: Consumed): event is SpaceEvent => event.type.startsWith('Space');

function spaceWrites(event: SpaceEvent): RequestWrite[] {
  if (event.type !== 'SpaceTransferred') return [{ removeWhere: { space: event.data.space } }];
  // Requests for reviews end: those people and teams belong to the other organization.
  return [{ setWhere: { space: event.entityId }, fields: { ...event.data, requested: [] } }];
}

function writes(event: Consumed): RequestWrite[] {
  if (isOfSpace(event)) return spaceWrites(event);
  switch (event.type) {
    case 'ChangeRequestNumbered':
      return [{ set: event.data.changeRequest, fields: { number: event.data.number } }];
    case 'BranchOpened':
    case 'RevisionCreated':
    case 'BranchUpdated':
    case 'BranchConflictsResolved':
    case 'BranchMerged':
    case 'BranchReopened':
      return [{ change: event.entityId, by: (doc) => doc && revisedBy(doc, event) }];
    case 'CommentPosted':
    case 'CommentResolved':
    case 'CommentReopened':
    case 'CommentDeleted':
    case 'CommentReplyPosted':
      return commentWrites(event);
    default:
      return requestWrites(event);
  }
}

/** All change requests, those included that have no number yet, without their texts. */
export const changeRequests = projection({
  name: 'change_request',
  version: 4,
  entities: ['request', 'numbers', 'comment', 'content.branch', 'content.library', 'content.space'],
  events: [changeRequestEvents, numberEvents, revised, commented, spacePurge, spaceTransfer],
  indexes: [
    { key: { space: 1, number: 1 } },
    { key: { 'requested.key': 1 } },
    { key: { space: 1, updatedAt: -1, _id: -1 } },
    { key: { space: 1, createdAt: -1, _id: -1 } },
    { key: { organization: 1, updatedAt: -1, _id: -1 } },
    { key: { organization: 1, createdAt: -1, _id: -1 } },
  ],
  writes,
});
