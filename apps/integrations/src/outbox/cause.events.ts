import { branchEventSchemas, libraryEventSchemas, siteDirectoryEventSchemas } from '@scriptorium/contracts';
import { defineEvents, type EventOf } from '@scriptorium/event-sourcing';
import { installationEvents, rosterEvents } from '../installations/index.js';

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
  'SpaceRestored',
  'SpaceDeleted',
  'TransferEntered',
  'SpaceLeft',
);
const sites = defineEvents(siteDirectoryEventSchemas).pick('SiteAdded', 'SiteDeleted');

/** What something can be delivered because of, and whose streams have it. */
export const causes = {
  entities: ['installations', 'installation', 'content.branch', 'content.library', 'sites.directory'],
  events: [roster, installation, selection, revisions, spaces, sites],
} as const;

export type CauseEvent = EventOf<(typeof causes.events)[number]>;
