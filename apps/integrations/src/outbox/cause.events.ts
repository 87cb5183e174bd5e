import {
  branchEventSchemas,
  libraryEventSchemas,
  siteDirectoryEventSchemas,
  siteEventSchemas,
} from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import { installationEvents, rosterEvents } from '../installations/index.js';
import { integrationEvents } from '../publishing/index.js';

const published = integrationEvents.pick('IntegrationDemandsChanged');
const roster = rosterEvents.pick('IntegrationInstalled', 'IntegrationUninstalled');
const installation = installationEvents.pick(
  'InstallationConfigured',
  'InstallationScopesGranted',
  'SpaceInstallationAdded',
  'SpaceInstallationConfigured',
  'SpaceInstallationRemoved',
  'SiteInstallationAdded',
  'SiteInstallationConfigured',
  'SiteInstallationRemoved',
);
const selection = installationEvents.pick('InstallationSelectionChanged');
const revisions = defineEvents(branchEventSchemas).pick('RevisionCreated');
const spaces = defineEvents(libraryEventSchemas).pick(
  'SpaceAdded',
  'SpaceMoved',
  'SpaceRestored',
  'SpaceDeleted',
  'CollectionDeleted',
  'TransferEntered',
);
const sites = defineEvents(siteDirectoryEventSchemas).pick('SiteAdded', 'SiteDeleted');
const showings = defineEvents(siteEventSchemas).pick(
  'SiteVisibilityChanged',
  'SitePublished',
  'SiteUnpublished',
  'SiteSpaceAdded',
  'SiteSpaceReplaced',
  'SiteSpaceRemoved',
);

/** What something can be delivered because of, and whose streams have it. */
export const causes = {
  entities: [
    ...['integration', 'installations', 'installation'],
    ...['content.branch', 'content.library', 'sites.directory', 'sites.site'],
  ],
  events: [published, roster, installation, selection, revisions, spaces, sites, showings],
} as const;

export type CauseEvent = EventOf<(typeof causes.events)[number]>;
