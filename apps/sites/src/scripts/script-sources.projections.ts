import { requiredIn } from '@scriptorium/access';
import {
  installationEventSchemas,
  installationsEventSchemas,
  integrationEventSchemas,
  type IntegrationContentSecurityPolicy,
} from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';

/** What an integration says of its scripts. */
export interface IntegrationScriptsDocument {
  policy: IntegrationContentSecurityPolicy | null;
  /** The properties that have to be set for a site. */
  required: readonly string[];
}

const published = defineEvents(integrationEventSchemas).pick('IntegrationPublished', 'IntegrationUnpublished');

/** What integrations say of their scripts, by the ids of the integrations. */
export const integrationScripts = projection({
  name: 'integration_scripts',
  version: 1,
  entities: ['integrations.integration'],
  events: [published],
  id: (event) => event.entityId,
  evolve(
    _doc: IntegrationScriptsDocument | null,
    event: Recorded<EventOf<typeof published>>,
  ): IntegrationScriptsDocument | null {
    if (event.type === 'IntegrationUnpublished') return null;
    const { contentSecurityPolicy: policy, configurations } = event.data;
    return { policy, required: requiredIn(configurations.site) };
  },
});

/** Values of an installation for one site. */
interface SiteValues {
  site: string;
  configuration: string;
  /** The declared properties that have a value. */
  set: readonly string[];
}

/** What names the values of an installation, on which its scripts depend. */
export interface InstallationValuesDocument {
  configuration: string | null;
  sites: readonly SiteValues[];
}

const installed = defineEvents(installationsEventSchemas).pick('IntegrationInstalled', 'IntegrationUninstalled');
const configured = defineEvents(installationEventSchemas).pick(
  'InstallationConfigured',
  'SiteInstallationConfigured',
  'SiteInstallationRemoved',
);
type Configured = Recorded<EventOf<typeof configured>>;

function writes(event: Recorded<EventOf<typeof installed>> | Configured): Write<InstallationValuesDocument>[] {
  switch (event.type) {
    case 'IntegrationInstalled':
      return [{ put: event.data.installation, doc: { configuration: event.data.configuration, sites: [] } }];
    case 'IntegrationUninstalled':
      return [{ remove: event.data.installation }];
    default:
      return [{ change: event.entityId, by: (doc) => doc && valuesAfter(doc, event) }];
  }
}

function valuesAfter(doc: InstallationValuesDocument, event: Configured): InstallationValuesDocument {
  if (event.type === 'InstallationConfigured') return { ...doc, configuration: event.data.configuration };
  const others = doc.sites.filter(({ site }) => site !== event.data.site);
  if (event.type === 'SiteInstallationRemoved') return { ...doc, sites: others };
  const { site, configuration, set } = event.data;
  return { ...doc, sites: [...others, { site, configuration, set }] };
}

/** What names the values of installations, by the ids of the installations. */
export const installationValues = projection({
  name: 'installation_values',
  version: 1,
  entities: ['integrations.installations', 'integrations.installation'],
  events: [installed, configured],
  writes,
});
