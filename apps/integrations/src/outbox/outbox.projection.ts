import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { targetIn, type Target } from '../installations/index.js';
import type { Cause } from './cause.js';
import { causes, type CauseEvent } from './cause.events.js';

/** One event of the log, with what it caused. `position` orders them. */
export interface OutboxDocument {
  position: number;
  organization: string | null;
  causes: readonly Cause[];
}

function writes(event: Recorded<CauseEvent>): Write<OutboxDocument>[] {
  const found = causesOf(event);
  if (found.length === 0) return [];
  const organization = event.meta.organization;
  return [{ put: event.id, doc: { position: Number(event.position), organization, causes: found } }];
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
      return selected(event.entityId, event.data);
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
    ...selected(installation, { spaceSelection, siteSelection }),
  ];
}

/** Scripts are told of what somebody uninstalls. What ends with its organization or its integration ends without. */
function ended({ data: { installation, integration, reason } }: Of<'IntegrationUninstalled'>): Cause[] {
  return reason === 'uninstalled' ? [{ kind: 'installation_deleted', installation, integration }] : [];
}

function setUp(event: Of<'InstallationConfigured' | 'InstallationScopesGranted'>): Cause {
  const { status, statusBefore } = event.data;
  const configuration = 'previous' in event.data ? event.data.previous : null;
  return {
    kind: 'installation_setup',
    installation: event.entityId,
    status,
    before: { status: statusBefore, configuration },
  };
}

function selected(
  installation: string,
  { spaceSelection, siteSelection }: { spaceSelection?: string | undefined; siteSelection?: string | undefined },
): Cause[] {
  const targets = [
    ...(spaceSelection === 'all' ? (['space'] as const) : []),
    ...(siteSelection === 'all' ? (['site'] as const) : []),
  ];
  return targets.length === 0 ? [] : [{ kind: 'all_selected', installation, targets }];
}

/** The content of change requests is in branches of other ids. */
function revised({ entityId, data: { space, revision } }: Of<'RevisionCreated'>): Cause[] {
  return entityId === space ? [{ kind: 'content_updated', space, revision }] : [];
}

function placeCauses(
  event: Of<
    'SpaceAdded' | 'SpaceRestored' | 'SpaceDeleted' | 'TransferEntered' | 'SpaceLeft' | 'SiteAdded' | 'SiteDeleted'
  >,
): Cause[] {
  const of = (kind: 'place_added' | 'place_removed', target: Target): Cause => ({ kind, target });
  switch (event.type) {
    case 'SpaceAdded':
    case 'SpaceRestored':
      return [of('place_added', { kind: 'space', id: event.data.space })];
    case 'SpaceDeleted':
    case 'SpaceLeft':
      return [of('place_removed', { kind: 'space', id: event.data.space })];
    case 'TransferEntered':
      return event.data.nodes.flatMap(({ id, kind }) => (kind === 'space' ? [of('place_added', { kind, id })] : []));
    case 'SiteAdded':
      return [of('place_added', { kind: 'site', id: event.data.site })];
    case 'SiteDeleted':
      return [of('place_removed', { kind: 'site', id: event.data.site })];
  }
}

/** Events of the log because of which something may be delivered. Who gets it is planned from here. */
export const outbox = projection({
  name: 'outbox',
  version: 1,
  entities: causes.entities,
  events: causes.events,
  indexes: [{ key: { position: 1 } }],
  writes,
});
