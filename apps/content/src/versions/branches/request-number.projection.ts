import { changeRequestNumberEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { spacePurges } from './consumed.events.js';

/** The change request that has a number in its space. */
export interface RequestNumberDocument {
  space: string;
  branch: string;
}

const numbered = defineEvents(changeRequestNumberEventSchemas);

export function numberKey(space: string, number: number): string {
  return `${space}:${number}`;
}

function writes(
  event: Recorded<EventOf<typeof numbered> | EventOf<typeof spacePurges>>,
): Write<RequestNumberDocument>[] {
  if (event.type !== 'ChangeRequestNumbered') return [{ removeWhere: { space: event.data.space } }];
  const { changeRequest: branch, number } = event.data;
  const space = event.entityId;
  return [{ put: numberKey(space, number), doc: { space, branch } }];
}

/** The change requests of all spaces by their numbers, which paths may have in place of their ids. */
export const requestNumbers = projection({
  name: 'request_number',
  version: 1,
  entities: ['collaboration.numbers', 'content.library'],
  events: [numbered, spacePurges],
  indexes: [{ key: { space: 1 } }],
  writes,
});
