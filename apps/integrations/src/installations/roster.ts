import { AppError, limitReached } from '@scriptorium/contracts';
import {
  defineAggregate,
  emptyKeyed,
  keyedDrop,
  keyedEntries,
  keyedGet,
  keyedPut,
  type Keyed,
} from '@scriptorium/event-sourcing';
import { rosterEvents, type EndReason, type Installed, type RosterEvent } from './installation.events.js';

/** What an organization has installed. */
export interface Roster {
  /** The organization was deleted. */
  closed: boolean;
  installations: Keyed<Installed>;
}

function evolve(state: Roster, event: RosterEvent): Roster {
  const { installations } = state;
  switch (event.type) {
    case 'IntegrationInstalled':
      return { ...state, installations: keyedPut(installations, event.data.installation, event.data) };
    case 'IntegrationUninstalled':
      return { ...state, installations: keyedDrop(installations, event.data.installation) };
    case 'InstallationsClosed':
      return { closed: true, installations: emptyKeyed };
  }
}

/** What an organization has installed: each integration once, and not too many. */
export const roster = defineAggregate<Roster, typeof rosterEvents>({
  service: 'integrations',
  entity: 'installations',
  events: rosterEvents,
  initial: { closed: false, installations: emptyKeyed },
  evolve,
});

/** @throws AppError `not_found` for a deleted organization, `already_installed`, `limit_reached` */
export function install(state: Roster, { limit, ...installed }: Installed & { limit: number }): RosterEvent[] {
  const { closed, installations } = state;
  if (closed) throw new AppError('not_found');
  if (keyedEntries(installations).some(([, { integration }]) => integration === installed.integration))
    throw new AppError('already_installed');
  if (installations.size >= limit) throw limitReached('installationsPerOrganization', limit);
  return [{ type: 'IntegrationInstalled', data: installed }];
}

/** Ends an installation; one that is not there has ended. */
export function uninstall({ installations }: Roster, installation: string, reason: EndReason): RosterEvent[] {
  const found = keyedGet(installations, installation);
  return found === undefined ? [] : [ended(found, reason)];
}

/** The organization was deleted: everything ends, and nothing is installed any more. */
export function close({ closed, installations }: Roster): RosterEvent[] {
  if (closed) return [];
  const all = keyedEntries(installations).map(([, one]) => ended(one, 'organization_deleted'));
  return [...all, { type: 'InstallationsClosed', data: {} }];
}

/** An installation as it began. @throws AppError `not_found` */
export function requireInstalled({ installations }: Roster, installation: string): Installed {
  const found = keyedGet(installations, installation);
  if (found === undefined) throw new AppError('not_found');
  return found;
}

function ended({ installation, integration }: Installed, reason: EndReason): RosterEvent {
  return { type: 'IntegrationUninstalled', data: { installation, integration, reason } };
}
