import { projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { installationEvents, rosterEvents, targetIn, type Target } from '../installations/index.js';
import { integrationEvents } from '../publishing/index.js';

/** What an installation had last, also after its end: scripts are told of it then. */
export interface LastInstallationDocument {
  integration: string;
  organization: string;
  configuration: string | null;
  externalIds: readonly string[];
  /** Of spaces and sites by `space-<id>` and `site-<id>`, also of removed ones. */
  targets: Readonly<Record<string, string>>;
  createdAt: string;
  updatedAt: string;
}

const removed = integrationEvents.pick('IntegrationRemoved');
const changed = installationEvents.pick(
  'InstallationConfigured',
  'InstallationExternalIdsChanged',
  'SpaceInstallationConfigured',
  'SiteInstallationConfigured',
);
type Change = EventOf<typeof changed>;

/** The key of a space or site among what an installation has. */
export function targetKey({ kind, id }: Target): string {
  return `${kind}-${id}`;
}

function writes(
  event: Recorded<EventOf<typeof rosterEvents> | EventOf<typeof removed> | Change>,
): Write<LastInstallationDocument>[] {
  const { time } = event.meta;
  switch (event.type) {
    case 'IntegrationInstalled': {
      const { installation, integration, configuration, externalIds } = event.data;
      const doc = { integration, organization: event.entityId, configuration, externalIds, targets: {} };
      return [{ put: installation, doc: { ...doc, createdAt: time, updatedAt: time } }];
    }
    case 'IntegrationUninstalled':
      return event.data.reason === 'organization_deleted' ? [{ remove: event.data.installation }] : [];
    case 'InstallationsClosed':
      return [{ removeWhere: { organization: event.entityId } }];
    case 'IntegrationRemoved':
      return [{ removeWhere: { integration: event.entityId } }];
    default:
      return [{ change: event.entityId, by: (doc) => doc && { ...after(doc, event), updatedAt: time } }];
  }
}

function after(doc: LastInstallationDocument, event: Change): LastInstallationDocument {
  switch (event.type) {
    case 'InstallationConfigured':
      return { ...doc, configuration: event.data.configuration };
    case 'InstallationExternalIdsChanged':
      return { ...doc, externalIds: event.data.externalIds };
    default:
      return { ...doc, targets: { ...doc.targets, [targetKey(targetIn(event.data))]: event.data.configuration } };
  }
}

/** What installations had last, until their integration is removed or their organization ends. */
export const lastInstallations = projection({
  name: 'last_installation',
  version: 2,
  entities: ['integration', 'installations', 'installation'],
  events: [rosterEvents, removed, changed],
  indexes: [{ key: { integration: 1 } }, { key: { organization: 1 } }],
  writes,
});
