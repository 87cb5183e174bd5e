import type { InstallationSelection } from '@scriptorium/contracts';
import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { targetIn, type Target } from '../installations/index.js';
import type { Cause } from './cause.js';
import { causes, type CauseEvent } from './cause.events.js';

/** One event of the log, with what it caused. `position` orders them. */
export interface OutboxDocument {
  position: number;
  organization: string | null;
  /** When it was recorded, ISO 8601. */
  time: string;
  causes: readonly Cause[];
}

function writes(event: Recorded<CauseEvent>): Write<OutboxDocument>[] {
  const found = causesOf(event);
  if (found.length === 0) return [];
  const { organization, time } = event.meta;
  return [{ put: event.id, doc: { position: Number(event.position), organization, time, causes: found } }];
}

type Of<T extends CauseEvent['type']> = Recorded<Extract<CauseEvent, { type: T }>>;

function causesOf(event: Recorded<CauseEvent>): Cause[] {
  switch (event.type) {
    case 'IntegrationInstalled':
      return installed(event);
    case 'IntegrationUninstalled':
      return ended(event);
    case 'RevisionCreated':
      return revised(event);
    case 'InstallationConfigured':
    case 'InstallationScopesGranted':
      return [setUp(event)];
    case 'InstallationSelectionChanged':
      return [
        { kind: 'installation_setup', installation: event.entityId, status: null, before: { status: null } },
        ...selected('all', event.entityId, event.data),
        ...selected('selected', event.entityId, event.data),
      ];
    case 'IntegrationDemandsChanged':
      return [{ kind: 'demands_changed', integration: event.entityId, ...event.data }];
    case 'SpaceInstallationAdded':
    case 'SiteInstallationAdded':
      return [{ kind: 'target_setup', installation: event.entityId, target: targetIn(event.data), before: null }];
    case 'SpaceInstallationConfigured':
    case 'SiteInstallationConfigured': {
      const { statusBefore: status, previous: configuration } = event.data;
      const before = { status, configuration };
      return [{ kind: 'target_setup', installation: event.entityId, target: targetIn(event.data), before }];
    }
    case 'SpaceInstallationRemoved':
    case 'SiteInstallationRemoved':
      return [{ kind: 'target_deleted', installation: event.entityId, target: targetIn(event.data) }];
    default:
      return placeCauses(event);
  }
}

function installed({ data }: Of<'IntegrationInstalled'>): Cause[] {
  const { installation, status, spaceSelection, siteSelection } = data;
  return [
    { kind: 'installation_setup', installation, status, before: null },
    ...selected('all', installation, { spaceSelection, siteSelection }),
  ];
}

/** Scripts are told of what ends. Only what ends with its organization ends without. */
function ended({ data: { installation, integration, reason } }: Of<'IntegrationUninstalled'>): Cause[] {
  return reason === 'organization_deleted' ? [] : [{ kind: 'installation_deleted', installation, integration }];
}

function setUp(event: Of<'InstallationConfigured' | 'InstallationScopesGranted'>): Cause {
  const { status, statusBefore } = event.data;
  const configured = 'previous' in event.data ? { configuration: event.data.previous } : {};
  const before = { status: statusBefore, ...configured };
  return { kind: 'installation_setup', installation: event.entityId, status, before };
}

function selected(
  selection: InstallationSelection,
  installation: string,
  { spaceSelection, siteSelection }: { spaceSelection?: string | undefined; siteSelection?: string | undefined },
): Cause[] {
  const targets = [
    ...(spaceSelection === selection ? (['space'] as const) : []),
    ...(siteSelection === selection ? (['site'] as const) : []),
  ];
  const kind = selection === 'all' ? 'all_selected' : 'all_deselected';
  return targets.length === 0 ? [] : [{ kind, installation, targets }];
}

/**
 * The content of change requests is in branches of other ids. What a space begins with is no update, and stands in the
 * log before the space is there for anybody.
 */
function revised({ entityId, data: { space, revision, number } }: Of<'RevisionCreated'>): Cause[] {
  return entityId === space && number > 1 ? [{ kind: 'content_updated', space, revision }] : [];
}

type SpaceOrSite =
  | 'SpaceAdded'
  | 'SpaceMoved'
  | 'SpaceRestored'
  | 'SpaceDeleted'
  | 'CollectionDeleted'
  | 'TransferEntered'
  | 'SiteAdded'
  | 'SiteDeleted'
  | 'SiteVisibilityChanged'
  | 'SitePublished'
  | 'SiteUnpublished'
  | 'SiteSpaceAdded'
  | 'SiteSpaceReplaced'
  | 'SiteSpaceRemoved';

function placeCauses(event: Of<SpaceOrSite>): Cause[] {
  const of = (kind: 'place_added' | 'place_removed', target: Target): Cause => ({ kind, target });
  switch (event.type) {
    case 'SpaceAdded':
    case 'SpaceRestored':
      return [of('place_added', { kind: 'space', id: event.data.space })];
    case 'SpaceDeleted':
      return [of('place_removed', { kind: 'space', id: event.data.space })];
    case 'CollectionDeleted':
      return [{ kind: 'collection_removed', collection: event.data.collection, at: event.meta.time }];
    case 'TransferEntered':
      return event.data.nodes.flatMap(({ id, kind }) => (kind === 'space' ? moved({ kind, id }, event.data.from) : []));
    case 'SiteAdded':
      return [of('place_added', { kind: 'site', id: event.data.site })];
    case 'SiteDeleted':
      return [of('place_removed', { kind: 'site', id: event.data.site }), { kind: 'showing_changed', space: null }];
    case 'SpaceMoved':
      return [{ kind: 'showing_changed', space: event.data.space }];
    default:
      return [{ kind: 'showing_changed', space: null }];
  }
}

function moved(target: Target, from: string): Cause[] {
  return [
    { kind: 'place_removed', target, organization: from },
    { kind: 'place_added', target },
  ];
}

/**
 * Events of the log because of which something may be delivered. Who gets it is planned from here. What is planned is
 * removed after a while, until when it can be delivered again.
 */
export const outbox = projection({
  name: 'outbox',
  version: 6,
  consumed: true,
  entities: causes.entities,
  events: causes.events,
  indexes: [
    { key: { position: 1 } },
    { key: { organization: 1, position: 1, _id: 1 } },
    { key: { organization: 1, time: 1 } },
    { key: { 'causes.organization': 1, position: 1, _id: 1 } },
    { key: { time: 1 } },
  ],
  writes,
});
