import { branchEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventDataOf, type EventOf } from '@scriptorium/event-sourcing';

export const branchEvents = defineEvents(branchEventSchemas);
export type BranchEvent = EventOf<typeof branchEvents>;
export type RevisionData = EventDataOf<BranchEvent, 'RevisionCreated'>;
