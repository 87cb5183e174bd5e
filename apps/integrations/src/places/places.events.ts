import {
  libraryEventSchemas,
  siteDirectoryEventSchemas,
  siteEventSchemas,
  spaceEventSchemas,
} from '@scriptorium/contracts';
import { defineEvents } from '@scriptorium/event-sourcing';

/** What spaces are called. */
export const spaceNaming = defineEvents(spaceEventSchemas).pick('SpaceCreated', 'SpaceRenamed');
/** What ends a space for good. Everything of it goes with the first of these. */
export const spacePurge = defineEvents(libraryEventSchemas).pick('SpacePurgeBegan', 'SpacePurged');
/** Spaces belong to another organization from now on. */
export const spaceEntry = defineEvents(libraryEventSchemas).pick('TransferEntered');
/** Spaces, and collections with all that is in them, are deleted. */
export const spaceDeletion = defineEvents(libraryEventSchemas).pick('SpaceDeleted', 'CollectionDeleted');
/** What sites are called, and what they grant. */
export const siteFacts = defineEvents(siteEventSchemas).pick(
  'SiteCreated',
  'SiteRenamed',
  'SiteUserGrantGiven',
  'SiteUserGrantRemoved',
  'SiteTeamGrantGiven',
  'SiteTeamGrantRemoved',
);
/** To whom sites show which spaces. */
export const siteShowing = defineEvents(siteEventSchemas).pick(
  'SiteCreated',
  'SiteVisibilityChanged',
  'SitePublished',
  'SiteUnpublished',
  'SiteSpaceAdded',
  'SiteSpaceReplaced',
  'SiteSpaceRemoved',
);
/** Which sites there are. */
export const siteDirectory = defineEvents(siteDirectoryEventSchemas);
/** A site is deleted, for good. */
export const siteDeletion = siteDirectory.pick('SiteDeleted');
