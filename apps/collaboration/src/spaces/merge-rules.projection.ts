import { spaceEventSchemas, type OrganizationMergeRules } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { spacePurge } from './content.events.js';

/** The merge rules of a space that has its own. */
export interface MergeRulesDocument {
  rules: OrganizationMergeRules['rules'];
}

const changed = defineEvents(spaceEventSchemas).pick('SpaceMergeRulesChanged');

function writes(event: Recorded<EventOf<typeof changed> | EventOf<typeof spacePurge>>): Write<MergeRulesDocument>[] {
  if (event.type !== 'SpaceMergeRulesChanged') return [{ remove: event.data.space }];
  const { rules } = event.data;
  return [rules === null ? { remove: event.entityId } : { put: event.entityId, doc: { rules } }];
}

/** The merge rules of spaces. A space that is missing has those of its organization. */
export const mergeRules = projection({
  name: 'merge_rules',
  version: 1,
  entities: ['content.space', 'content.library'],
  events: [changed, spacePurge],
  writes,
});
