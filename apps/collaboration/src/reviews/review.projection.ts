import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { changeRequestEvents } from '../change-requests/index.js';
import { spacePurge } from '../spaces/index.js';

export interface ReviewDocument {
  space: string;
  changeRequest: string;
  status: 'approved' | 'changes-requested';
  /** The newest revision of the change request when it was reviewed. */
  revision: string;
  reviewer: string;
  requestedBy: string | null;
  /** The comment that was posted with it. */
  comment: string | null;
  createdAt: string;
}

const submitted = changeRequestEvents.pick('ReviewSubmitted');

function writes(event: Recorded<EventOf<typeof submitted> | EventOf<typeof spacePurge>>): Write<ReviewDocument>[] {
  const { space } = event.data;
  if (event.type !== 'ReviewSubmitted') return [{ removeWhere: { space } }];
  const { review, status, revision, requestedBy, comment } = event.data;
  const { actor, time: createdAt } = event.meta;
  const doc = { space, changeRequest: event.entityId, status, revision, reviewer: actor.id, requestedBy, createdAt };
  return [{ put: review, doc: { ...doc, comment: comment?.comment ?? null } }];
}

/** All reviews of change requests. */
export const reviews = projection({
  name: 'review',
  version: 1,
  entities: ['request', 'content.library'],
  events: [submitted, spacePurge],
  indexes: [{ key: { changeRequest: 1, createdAt: 1, _id: 1 } }, { key: { space: 1 } }],
  writes,
});
