import { changeRequestEventSchemas, libraryEventSchemas } from '@scriptorium/contracts';
import { defineEvents } from '@scriptorium/event-sourcing';

/** The creation of a change request broke off. Nothing is left of its branch then. */
export const requestAbandonment = defineEvents(changeRequestEventSchemas).pick('ChangeRequestAbandoned');

/** A space is purged. Nothing is left of its branches then. */
export const spacePurges = defineEvents(libraryEventSchemas).pick('SpacePurgeBegan', 'SpacePurged');
