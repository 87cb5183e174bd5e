import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { installationEvents, rosterEvents, type InstallationEvent, type RosterEvent } from './installation.events.js';
import { targetIn } from './target-events.js';

/** What an installation has of its own on a space or site. */
export interface TargetEntryDocument {
  installation: string;
  kind: 'space' | 'site';
  target: string;
  /** Names the values of the configuration. */
  configuration: string | null;
  /** The declared properties that have a value. */
  set: readonly string[];
  externalIds: readonly string[];
}

const ended = rosterEvents.pick('IntegrationUninstalled');
const ofTargets = installationEvents.pick(
  'SpaceInstallationAdded',
  'SpaceInstallationConfigured',
  'SpaceInstallationExternalIdsChanged',
  'SpaceInstallationRemoved',
  'SiteInstallationAdded',
  'SiteInstallationConfigured',
  'SiteInstallationExternalIdsChanged',
  'SiteInstallationRemoved',
);
type TargetEvent = Extract<InstallationEvent, { type: `${'Space' | 'Site'}Installation${string}` }>;

/** The id of what an installation has on a space or site. */
export function entryKey(installation: string, { kind, id }: { kind: string; id: string }): string {
  return `${installation}:${kind}:${id}`;
}

function writes(
  event: Recorded<TargetEvent | Extract<RosterEvent, { type: 'IntegrationUninstalled' }>>,
): Write<TargetEntryDocument>[] {
  if (event.type === 'IntegrationUninstalled') return [{ removeWhere: { installation: event.data.installation } }];
  const { entityId: installation, data } = event;
  const target = targetIn(data);
  const id = `${installation}:${target.kind}:${target.id}`;
  if (event.type === 'SpaceInstallationRemoved' || event.type === 'SiteInstallationRemoved') return [{ remove: id }];
  const fields = {
    ...('configuration' in data ? { configuration: data.configuration, set: data.set } : {}),
    ...('externalIds' in data ? { externalIds: data.externalIds } : {}),
  };
  const made = { installation, kind: target.kind, target: target.id, configuration: null, set: [], externalIds: [] };
  return [{ change: id, by: (doc) => ({ ...made, ...doc, ...fields }) }];
}

/** What installations have of their own on spaces and sites. */
export const targetEntries = projection({
  name: 'target_entry',
  version: 1,
  entities: ['installation', 'installations'],
  events: [ofTargets, ended],
  indexes: [{ key: { installation: 1 } }, { key: { kind: 1, target: 1 } }, { key: { externalIds: 1 } }],
  writes,
});
