import { branchEventSchemas, libraryEventSchemas, spaceEventSchemas } from '@scriptorium/contracts';
import { defineEvents } from '@scriptorium/event-sourcing';

/** What spaces are called. */
export const spaceNaming = defineEvents(spaceEventSchemas).pick('SpaceCreated', 'SpaceRenamed');
/** What ends a space for good. Everything of it goes with the first of these. */
export const spacePurge = defineEvents(libraryEventSchemas).pick('SpacePurgeBegan', 'SpacePurged');
/** Spaces belong to another organization from now on. */
export const spaceEntry = defineEvents(libraryEventSchemas).pick('TransferEntered');
/** The content of spaces and change requests changes. */
export const spaceContent = defineEvents(branchEventSchemas).pick('RevisionCreated');
