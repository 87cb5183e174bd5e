import {
  branchEventSchemas,
  changeRequestEventSchemas,
  libraryEventSchemas,
  spaceEventSchemas,
} from '@scriptorium/contracts';
import { defineEvents } from '@scriptorium/event-sourcing';

export const branchEvents = defineEvents(branchEventSchemas);
const libraryEvents = defineEvents(libraryEventSchemas);
export const spaceAddition = libraryEvents.pick('SpaceAdded');
/** What ends a space for good. Everything of it goes with the first of these. */
export const spacePurge = libraryEvents.pick('SpacePurgeBegan', 'SpacePurged');
/** A space belongs to another organization, with all that was written about it. */
export const spaceTransfer = defineEvents(spaceEventSchemas).pick('SpaceTransferred');
/** Nothing is left of a change request whose creation broke off, nor of its branch. */
export const abandonment = defineEvents(changeRequestEventSchemas).pick('ChangeRequestAbandoned');
