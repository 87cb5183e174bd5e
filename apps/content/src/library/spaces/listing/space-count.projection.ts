import {
  changeRequestEventSchemas,
  changeRequestNumberEventSchemas,
  changeRequestsChanged,
  commentEventSchemas,
  commentsChanged,
} from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { libraryEvents } from '../../nodes/index.js';

/** What other services count of a space. */
export interface SpaceCountDocument {
  /** Comments on its main content that are not resolved. */
  comments: number;
  changeRequests: number;
  changeRequestsOpen: number;
  changeRequestsDraft: number;
}

const commentEvents = defineEvents(commentEventSchemas).pick(
  'CommentPosted',
  'CommentResolved',
  'CommentReopened',
  'CommentDeleted',
);
const existence = libraryEvents.pick('SpaceAdded', 'SpacePurgeBegan', 'SpacePurged');
const requestEvents = defineEvents(changeRequestEventSchemas).pick(
  'ChangeRequestOpened',
  'ChangeRequestConvertedToDraft',
  'ChangeRequestArchived',
  'ChangeRequestReopened',
  'ChangeRequestMerged',
);
const numberEvents = defineEvents(changeRequestNumberEventSchemas);
type RequestEvent = EventOf<typeof requestEvents> | EventOf<typeof numberEvents>;
type Consumed = Recorded<EventOf<typeof commentEvents> | EventOf<typeof existence> | RequestEvent>;

/** The numbers of a new space. */
export const noCounts: SpaceCountDocument = {
  comments: 0,
  changeRequests: 0,
  changeRequestsOpen: 0,
  changeRequestsDraft: 0,
};

function requestWrites(space: string, event: RequestEvent): Write<SpaceCountDocument>[] {
  const { total, open, draft } = changeRequestsChanged(event);
  return total === 0 && open === 0 && draft === 0
    ? []
    : [{ inc: space, by: { changeRequests: total, changeRequestsOpen: open, changeRequestsDraft: draft } }];
}

function openComments(event: EventOf<typeof commentEvents>): number {
  return commentsChanged(event).open;
}

function writes(event: Consumed): Write<SpaceCountDocument>[] {
  switch (event.type) {
    case 'SpaceAdded':
      return [{ put: event.data.space, doc: noCounts }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ remove: event.data.space }];
    case 'CommentPosted':
    case 'CommentResolved':
    case 'CommentReopened':
    case 'CommentDeleted': {
      const comments = event.data.changeRequest === null ? openComments(event) : 0;
      return comments === 0 ? [] : [{ inc: event.data.space, by: { comments } }];
    }
    case 'ChangeRequestNumbered':
      return requestWrites(event.entityId, event);
    default:
      return requestWrites(event.data.space, event);
  }
}

/** The numbers of all spaces. */
export const spaceCounts = projection({
  name: 'space_count',
  version: 2,
  entities: ['content.library', 'collaboration.comment', 'collaboration.request', 'collaboration.numbers'],
  events: [existence, commentEvents, requestEvents, numberEvents],
  writes,
});
