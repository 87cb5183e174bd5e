import { commentEventSchemas, commentsChanged } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { libraryEvents } from '../events/index.js';

/** What other services count of a space. */
export interface SpaceCountDocument {
  /** Comments on its main content that are not resolved. */
  comments: number;
}

const commentEvents = defineEvents(commentEventSchemas).pick(
  'CommentPosted',
  'CommentResolved',
  'CommentReopened',
  'CommentDeleted',
);
const existence = libraryEvents.pick('SpaceAdded', 'SpacePurgeBegan', 'SpacePurged');
type Consumed = Recorded<EventOf<typeof commentEvents> | EventOf<typeof existence>>;

function openComments(event: EventOf<typeof commentEvents>): number {
  return commentsChanged(event).open;
}

function writes(event: Consumed): Write<SpaceCountDocument>[] {
  const { space } = event.data;
  switch (event.type) {
    case 'SpaceAdded':
      return [{ put: space, doc: { comments: 0 } }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ remove: space }];
    default: {
      const comments = event.data.changeRequest === null ? openComments(event) : 0;
      return comments === 0 ? [] : [{ inc: space, by: { comments } }];
    }
  }
}

/** The numbers of all spaces. */
export const spaceCounts = projection({
  name: 'space_count',
  version: 1,
  entities: ['content.library', 'collaboration.comment'],
  events: [existence, commentEvents],
  writes,
});
