import {
  installationEventSchemas,
  installationsEventSchemas,
  integrationEventSchemas,
  type InstallationSelection,
} from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import type { InstallationFacts } from './installation-status.js';

/** What an installation of an integration reaches. Whether it is active follows from `integration_reach`, too. */
export interface InstallationReachDocument extends InstallationFacts {
  integration: string;
  /** The organization in which it is installed. */
  organization: string;
  spaceSelection: InstallationSelection;
  siteSelection: InstallationSelection;
  /** The spaces and sites that are selected by themselves. With the selection `all` there may be none. */
  spaces: readonly string[];
  sites: readonly string[];
}

const unpublished = defineEvents(integrationEventSchemas).pick('IntegrationUnpublished');
const installed = defineEvents(installationsEventSchemas).pick('IntegrationInstalled', 'IntegrationUninstalled');
const changed = defineEvents(installationEventSchemas).pick(
  'InstallationConfigured',
  'InstallationScopesGranted',
  'InstallationSelectionChanged',
  'SpaceInstallationAdded',
  'SpaceInstallationRemoved',
  'SiteInstallationAdded',
  'SiteInstallationRemoved',
);
type Change = EventOf<typeof changed>;

function writes(
  event: Recorded<EventOf<typeof unpublished> | EventOf<typeof installed> | Change>,
): Write<InstallationReachDocument>[] {
  switch (event.type) {
    case 'IntegrationUnpublished':
      return [{ removeWhere: { integration: event.entityId } }];
    case 'IntegrationInstalled': {
      const { installation, integration, grantedScopes, spaceSelection, siteSelection, set } = event.data;
      const reach = { integration, organization: event.entityId, spaceSelection, siteSelection };
      return [{ put: installation, doc: { ...reach, granted: grantedScopes, set, spaces: [], sites: [] } }];
    }
    case 'IntegrationUninstalled':
      return [{ remove: event.data.installation }];
    default:
      return [{ change: event.entityId, by: (doc) => doc && reachAfter(doc, event) }];
  }
}

function reachAfter(doc: InstallationReachDocument, event: Change): InstallationReachDocument {
  switch (event.type) {
    case 'InstallationConfigured':
      return { ...doc, set: event.data.set };
    case 'InstallationScopesGranted':
      return { ...doc, granted: event.data.scopes };
    case 'InstallationSelectionChanged': {
      const { spaceSelection = doc.spaceSelection, siteSelection = doc.siteSelection } = event.data;
      return { ...doc, spaceSelection, siteSelection };
    }
    case 'SpaceInstallationAdded':
      return { ...doc, spaces: withOne(doc.spaces, event.data.space) };
    case 'SpaceInstallationRemoved':
      return { ...doc, spaces: doc.spaces.filter((space) => space !== event.data.space) };
    case 'SiteInstallationAdded':
      return { ...doc, sites: withOne(doc.sites, event.data.site) };
    case 'SiteInstallationRemoved':
      return { ...doc, sites: doc.sites.filter((site) => site !== event.data.site) };
  }
}

function withOne(all: readonly string[], id: string): readonly string[] {
  return all.includes(id) ? all : [...all, id];
}

/** What the installations of integrations reach. */
export const installationReach = projection({
  name: 'installation_reach',
  version: 1,
  entities: ['integrations.integration', 'integrations.installations', 'integrations.installation'],
  events: [unpublished, installed, changed],
  indexes: [{ key: { integration: 1 } }, { key: { organization: 1 } }],
  writes,
});
