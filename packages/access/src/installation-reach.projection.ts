import {
  installationEventSchemas,
  installationsEventSchemas,
  integrationEventSchemas,
  type InstallationSelection,
  type PauseReason,
} from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';
import type { InstallationFacts } from './installation-status.js';

/** A space or site that is selected by itself. `since`: the position in the log from which it is. */
export interface ReachedTarget {
  id: string;
  since: number;
}

/** What an installation of an integration reaches. Whether it is active follows from `integration_reach`, too. */
export interface InstallationReachDocument extends InstallationFacts {
  integration: string;
  /** The organization in which it is installed. */
  organization: string;
  spaceSelection: InstallationSelection;
  siteSelection: InstallationSelection;
  /** The spaces and sites that are selected by themselves. With the selection `all` there may be none. */
  spaces: readonly ReachedTarget[];
  sites: readonly ReachedTarget[];
  /** The position from which all spaces, and all sites, are selected; `null` while they are not. */
  allSpacesSince: number | null;
  allSitesSince: number | null;
  paused: PauseReason | null;
  /** Tokens of earlier generations are refused. A pause raises it, and so do other keys. */
  generation: number;
  /** The generation of the keys with which it signs, and when it began; `null` for the first. */
  signing: { generation: number; since: string | null };
  /** The position of the event since which it is active, or since which it is there. What was before is not its own. */
  since: number;
}

const unpublished = defineEvents(integrationEventSchemas).pick('IntegrationUnpublished');
const installed = defineEvents(installationsEventSchemas).pick('IntegrationInstalled', 'IntegrationUninstalled');
const changed = defineEvents(installationEventSchemas).pick(
  'InstallationConfigured',
  'InstallationScopesGranted',
  'InstallationSelectionChanged',
  'InstallationPaused',
  'InstallationResumed',
  'InstallationSigningRotated',
  'SpaceInstallationAdded',
  'SpaceInstallationConfigured',
  'SpaceInstallationExternalIdsChanged',
  'SpaceInstallationRemoved',
  'SiteInstallationAdded',
  'SiteInstallationConfigured',
  'SiteInstallationExternalIdsChanged',
  'SiteInstallationRemoved',
);
type Change = Recorded<EventOf<typeof changed>>;
type Installed = Recorded<Extract<EventOf<typeof installed>, { type: 'IntegrationInstalled' }>>;

function writes(
  event: Recorded<EventOf<typeof unpublished> | EventOf<typeof installed>> | Change,
): Write<InstallationReachDocument>[] {
  switch (event.type) {
    case 'IntegrationUnpublished':
      return [{ removeWhere: { integration: event.entityId } }];
    case 'IntegrationInstalled':
      return [{ put: event.data.installation, doc: newReach(event) }];
    case 'IntegrationUninstalled':
      return [{ remove: event.data.installation }];
    default:
      return [{ change: event.entityId, by: (doc) => doc && reachAfter(doc, event) }];
  }
}

function newReach({ data, entityId: organization, position }: Installed): InstallationReachDocument {
  const { integration, grantedScopes: granted, spaceSelection, siteSelection, set } = data;
  const since = Number(position);
  return {
    integration,
    organization,
    granted,
    set,
    spaceSelection,
    siteSelection,
    spaces: [],
    sites: [],
    allSpacesSince: spaceSelection === 'all' ? since : null,
    allSitesSince: siteSelection === 'all' ? since : null,
    paused: null,
    generation: 0,
    signing: { generation: 0, since: null },
    since,
  };
}

function reachAfter(doc: InstallationReachDocument, event: Change): InstallationReachDocument {
  switch (event.type) {
    case 'InstallationConfigured':
      return { ...doc, set: event.data.set, ...activeSince(event) };
    case 'InstallationScopesGranted':
      return { ...doc, granted: event.data.scopes, ...activeSince(event) };
    case 'InstallationPaused':
      return { ...doc, paused: event.data.reason, generation: doc.generation + 1 };
    case 'InstallationResumed':
      return { ...doc, paused: null, since: Number(event.position) };
    case 'InstallationSigningRotated': {
      const signing = { generation: event.data.generation, since: event.meta.time };
      return { ...doc, signing, generation: doc.generation + 1 };
    }
    case 'InstallationSelectionChanged':
      return selected(doc, event);
    case 'SpaceInstallationRemoved':
      return { ...doc, spaces: doc.spaces.filter(({ id }) => id !== event.data.space) };
    case 'SiteInstallationRemoved':
      return { ...doc, sites: doc.sites.filter(({ id }) => id !== event.data.site) };
    default:
      return withTarget(doc, event.data, Number(event.position));
  }
}

/** An installation that becomes active gets what happens from then on. */
function activeSince({
  data: { status, statusBefore },
  position,
}: Extract<Change, { type: 'InstallationConfigured' | 'InstallationScopesGranted' }>): { since?: number } {
  return status === 'active' && statusBefore !== 'active' ? { since: Number(position) } : {};
}

function selected(
  doc: InstallationReachDocument,
  { data, position }: Extract<Change, { type: 'InstallationSelectionChanged' }>,
): InstallationReachDocument {
  const { spaceSelection = doc.spaceSelection, siteSelection = doc.siteSelection } = data;
  const sinceOf = (selection: InstallationSelection, before: number | null) =>
    selection === 'all' ? (before ?? Number(position)) : null;
  return {
    ...doc,
    spaceSelection,
    siteSelection,
    allSpacesSince: sinceOf(spaceSelection, doc.allSpacesSince),
    allSitesSince: sinceOf(siteSelection, doc.allSitesSince),
  };
}

function withTarget(
  doc: InstallationReachDocument,
  data: { space: string } | { site: string },
  position: number,
): InstallationReachDocument {
  return 'space' in data
    ? { ...doc, spaces: withOne(doc.spaces, { id: data.space, since: doc.allSpacesSince ?? position }) }
    : { ...doc, sites: withOne(doc.sites, { id: data.site, since: doc.allSitesSince ?? position }) };
}

function withOne(all: readonly ReachedTarget[], one: ReachedTarget): readonly ReachedTarget[] {
  return all.some(({ id }) => id === one.id) ? all : [...all, one];
}

/** What the installations of integrations reach. */
export const installationReach = projection({
  name: 'installation_reach',
  version: 2,
  entities: ['integrations.integration', 'integrations.installations', 'integrations.installation'],
  events: [unpublished, installed, changed],
  indexes: [{ key: { integration: 1 } }, { key: { organization: 1 } }],
  writes,
});

type Selected = Pick<InstallationReachDocument, 'spaces' | 'sites' | 'allSpacesSince' | 'allSitesSince' | 'since'>;

/**
 * The position in the log from which an installation reaches a space or site of its organization; `null` when it does
 * not. What was recorded before is not delivered to it. Pure.
 */
export function reachedSince(reach: Selected, { kind, id }: { kind: 'space' | 'site'; id: string }): number | null {
  const [targets, all] = kind === 'space' ? [reach.spaces, reach.allSpacesSince] : [reach.sites, reach.allSitesSince];
  const own = targets.find((target) => target.id === id)?.since;
  const since = Math.min(own ?? Infinity, all ?? Infinity);
  return since === Infinity ? null : Math.max(since, reach.since);
}
