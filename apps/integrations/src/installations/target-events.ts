import type { EventDataOf } from '@scriptorium/event-sourcing';
import type { InstallationEvent } from './installation.events.js';

/** A space or site on which something is installed. */
export interface Target {
  kind: 'space' | 'site';
  id: string;
}

type Configured = EventDataOf<InstallationEvent, 'InstallationConfigured'>;

/** Events about a space or site. */
export const targetEvent = {
  added: ({ kind, id }: Target): InstallationEvent =>
    kind === 'space'
      ? { type: 'SpaceInstallationAdded', data: { space: id } }
      : { type: 'SiteInstallationAdded', data: { site: id } },
  removed: ({ kind, id }: Target): InstallationEvent =>
    kind === 'space'
      ? { type: 'SpaceInstallationRemoved', data: { space: id } }
      : { type: 'SiteInstallationRemoved', data: { site: id } },
  configured: ({ kind, id }: Target, configured: Configured): InstallationEvent =>
    kind === 'space'
      ? { type: 'SpaceInstallationConfigured', data: { space: id, ...configured } }
      : { type: 'SiteInstallationConfigured', data: { site: id, ...configured } },
  identified: ({ kind, id }: Target, externalIds: string[]): InstallationEvent =>
    kind === 'space'
      ? { type: 'SpaceInstallationExternalIdsChanged', data: { space: id, externalIds } }
      : { type: 'SiteInstallationExternalIdsChanged', data: { site: id, externalIds } },
};

/** The space or site that an event is about. */
export function targetIn(data: { space: string } | { site: string }): Target {
  return 'space' in data ? { kind: 'space', id: data.space } : { kind: 'site', id: data.site };
}
