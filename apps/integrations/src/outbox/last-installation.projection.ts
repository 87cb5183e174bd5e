import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { installationEvents, rosterEvents, targetIn, type Target } from '../installations/index.js';
import type { EventOf } from '@scriptorium/event-sourcing';

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

const began = rosterEvents.pick('IntegrationInstalled', 'IntegrationUninstalled');
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

function writes(event: Recorded<EventOf<typeof began> | Change>): Write<LastInstallationDocument>[] {
  const { time } = event.meta;
  if (event.type === 'IntegrationInstalled') {
    const { installation, integration, configuration, externalIds } = event.data;
    const doc = { integration, organization: event.entityId, configuration, externalIds, targets: {} };
    return [{ put: installation, doc: { ...doc, createdAt: time, updatedAt: time } }];
  }
  if (event.type === 'IntegrationUninstalled')
    return event.data.reason === 'uninstalled' ? [] : [{ remove: event.data.installation }];
  return [{ change: event.entityId, by: (doc) => doc && { ...after(doc, event), updatedAt: time } }];
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

/** What installations had last, until their integration or organization ends. */
export const lastInstallations = projection({
  name: 'last_installation',
  version: 1,
  entities: ['installations', 'installation'],
  events: [began, changed],
  indexes: [{ key: { integration: 1 } }],
  writes,
});
