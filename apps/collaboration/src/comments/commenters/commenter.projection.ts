import { rosterEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { commentEvents } from '../comment.events.js';
import { spacePurge, spaceTransfer } from '../../spaces/index.js';

/** Somebody who has commented, or replied, in one place. */
export interface CommenterDocument {
  organization: string;
  space: string;
  /** The change request, otherwise the space. */
  place: string;
  user: string;
  /** Comments and replies that are there. */
  items: number;
  /** When the first one was posted. */
  since: string;
  /** `null`: not known, since the space was transferred to the organization. */
  isMember: boolean | null;
}

const authored = commentEvents.pick('CommentPosted', 'CommentReplyPosted', 'CommentReplyDeleted', 'CommentDeleted');
const rosterEvents = defineEvents(rosterEventSchemas).pick('MemberJoined', 'MemberRemoved');
type Consumed = Recorded<
  EventOf<typeof authored> | EventOf<typeof spacePurge> | EventOf<typeof spaceTransfer> | EventOf<typeof rosterEvents>
>;

function fewer(place: string, user: string, items: number): Write<CommenterDocument> {
  return {
    change: `${place}:${user}`,
    by: (doc) => (doc === null || doc.items <= items ? null : { ...doc, items: doc.items - items }),
  };
}

function writes(event: Consumed): Write<CommenterDocument>[] {
  const { time, actor } = event.meta;
  switch (event.type) {
    case 'CommentPosted':
    case 'CommentReplyPosted': {
      const { space, changeRequest } = event.data;
      const place = changeRequest ?? space;
      const [organization, user] = [event.meta.organization ?? '', actor.id];
      const first = { organization, space, place, user, items: 1, since: time, isMember: true };
      return [{ change: `${place}:${user}`, by: (doc) => (doc === null ? first : { ...doc, items: doc.items + 1 }) }];
    }
    case 'CommentReplyDeleted': {
      const { space, changeRequest, author } = event.data;
      return [fewer(changeRequest ?? space, author, 1)];
    }
    case 'CommentDeleted': {
      const { space, changeRequest, authors } = event.data;
      return authors.map(({ user, items }) => fewer(changeRequest ?? space, user, items));
    }
    case 'SpacePurgeBegan':
    case 'SpacePurged':
      return [{ removeWhere: { space: event.data.space } }];
    case 'SpaceTransferred':
      return [{ setWhere: { space: event.entityId }, fields: { ...event.data, isMember: null } }];
    case 'MemberJoined':
    case 'MemberRemoved': {
      const where = { organization: event.entityId, user: event.data.user };
      return [{ setWhere: where, fields: { isMember: event.type === 'MemberJoined' } }];
    }
  }
}

/** Who has commented where. Members who left are kept, since they may return. */
export const commenters = projection({
  name: 'commenter',
  version: 2,
  entities: ['comment', 'content.library', 'content.space', 'identity.roster'],
  events: [authored, spacePurge, spaceTransfer, rosterEvents],
  indexes: [
    { key: { place: 1, isMember: 1, since: 1, _id: 1 } },
    { key: { organization: 1, user: 1 } },
    { key: { space: 1 } },
  ],
  writes,
});
