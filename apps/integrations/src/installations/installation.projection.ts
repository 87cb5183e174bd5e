import {
  integrationEventSchemas,
  type InstallationSelection,
  type IntegrationScope,
  type PauseReason,
} from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { installationEvents, rosterEvents, type InstallationEvent, type RosterEvent } from './installation.events.js';

/** An installation of an integration. */
export interface InstallationDocument {
  integration: string;
  name: string;
  organization: string;
  granted: readonly IntegrationScope[];
  spaceSelection: InstallationSelection;
  siteSelection: InstallationSelection;
  /** Names the values of the configuration. */
  configuration: string | null;
  /** The declared properties that have a value. */
  set: readonly string[];
  externalIds: readonly string[];
  /** The spaces and sites that are selected by themselves. */
  spaces: readonly string[];
  sites: readonly string[];
  /** Why nothing is delivered to it; `null` while it is not paused. */
  paused: PauseReason | null;
  /** The integration is not published any more, and the installation is about to end: it is there for nobody. */
  isEnding: boolean;
  createdAt: string;
  updatedAt: string;
}

const unpublished = defineEvents(integrationEventSchemas).pick('IntegrationUnpublished');

function writes(
  event: Recorded<RosterEvent | InstallationEvent | EventOf<typeof unpublished>>,
): Write<InstallationDocument>[] {
  const { time } = event.meta;
  switch (event.type) {
    case 'IntegrationInstalled': {
      const { installation, grantedScopes: granted, version: _version, status: _status, ...installed } = event.data;
      const places = { organization: event.entityId, spaces: [], sites: [] };
      const doc = { ...installed, ...places, granted, paused: null, isEnding: false, createdAt: time, updatedAt: time };
      return [{ put: installation, doc }];
    }
    case 'IntegrationUninstalled':
      return [{ remove: event.data.installation }];
    case 'InstallationsClosed':
      return [];
    case 'IntegrationUnpublished':
      return [{ setWhere: { integration: event.entityId }, fields: { isEnding: true } }];
    default:
      return [{ change: event.entityId, by: (doc) => doc && { ...installationAfter(doc, event), updatedAt: time } }];
  }
}

function installationAfter(doc: InstallationDocument, event: InstallationEvent): InstallationDocument {
  switch (event.type) {
    case 'InstallationConfigured':
      return { ...doc, configuration: event.data.configuration, set: event.data.set };
    case 'InstallationExternalIdsChanged':
      return { ...doc, externalIds: event.data.externalIds };
    case 'InstallationSelectionChanged': {
      const { spaceSelection = doc.spaceSelection, siteSelection = doc.siteSelection } = event.data;
      return { ...doc, spaceSelection, siteSelection };
    }
    case 'InstallationScopesGranted':
      return { ...doc, granted: event.data.scopes };
    case 'SpaceInstallationRemoved':
      return { ...doc, spaces: doc.spaces.filter((space) => space !== event.data.space) };
    case 'SiteInstallationRemoved':
      return { ...doc, sites: doc.sites.filter((site) => site !== event.data.site) };
    case 'InstallationPaused':
      return { ...doc, paused: event.data.reason };
    case 'InstallationResumed':
      return { ...doc, paused: null };
    case 'InstallationSigningRotated':
      return doc;
    default:
      return 'space' in event.data
        ? { ...doc, spaces: withOne(doc.spaces, event.data.space) }
        : { ...doc, sites: withOne(doc.sites, event.data.site) };
  }
}

function withOne(all: readonly string[], id: string): readonly string[] {
  return all.includes(id) ? all : [...all, id];
}

/** The installations of integrations. */
export const installations = projection({
  name: 'installation',
  version: 2,
  entities: ['installations', 'installation', 'integration'],
  events: [rosterEvents, installationEvents, unpublished],
  indexes: [
    { key: { integration: 1, createdAt: -1, _id: -1 } },
    { key: { organization: 1, createdAt: -1, _id: -1 } },
    { key: { spaces: 1 } },
    { key: { sites: 1 } },
  ],
  writes,
});
