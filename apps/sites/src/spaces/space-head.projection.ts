import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { spaceContent, spacePurge } from './content.events.js';

/** The newest revision of the main content of a space. */
export interface SpaceHeadDocument {
  revision: string;
}

function writes(
  event: Recorded<EventOf<typeof spaceContent> | EventOf<typeof spacePurge>>,
): Write<SpaceHeadDocument>[] {
  if (event.type !== 'RevisionCreated') return [{ remove: event.data.space }];
  const { space, revision } = event.data;
  // Change requests have branches of their own.
  return event.entityId === space ? [{ put: space, doc: { revision } }] : [];
}

/** Which revision spaces show, so that what was learned of their pages is used for as long as it holds. */
export const spaceHeads = projection({
  name: 'space_head',
  version: 1,
  entities: ['content.branch', 'content.library'],
  events: [spaceContent, spacePurge],
  writes,
});
