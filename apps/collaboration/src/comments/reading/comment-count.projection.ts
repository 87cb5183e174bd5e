import { commentsChanged as difference } from '@scriptorium/contracts';
import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { commentEvents } from '../comment.events.js';
import { spaceAddition, spacePurge } from '../../spaces/index.js';

/** Numbers of comments of a space. */
export interface CommentCountDocument {
  space: string;
  /** On its main content and on its change requests. */
  all: number;
  /** On its main content. */
  total: number;
  /** Of these, those that are not resolved. */
  open: number;
}

const counted = commentEvents.pick('CommentPosted', 'CommentResolved', 'CommentReopened', 'CommentDeleted');
type Consumed = Recorded<EventOf<typeof counted> | EventOf<typeof spaceAddition> | EventOf<typeof spacePurge>>;

function writes(event: Consumed): Write<CommentCountDocument>[] {
  const { space } = event.data;
  switch (event.type) {
    case 'SpaceAdded':
      return [{ put: space, doc: { space, all: 0, total: 0, open: 0 } }];
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ remove: space }];
    default: {
      const by = difference(event);
      const isMain = event.data.changeRequest === null;
      return [{ inc: space, by: { all: by.total, ...(isMain ? by : {}) } }];
    }
  }
}

/** The numbers of comments of all spaces. */
export const commentCounts = projection({
  name: 'comment_count',
  version: 1,
  entities: ['comment', 'content.library'],
  events: [counted, spaceAddition, spacePurge],
  writes,
});
