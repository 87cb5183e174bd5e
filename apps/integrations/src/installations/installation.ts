import {
  AppError,
  type InstallationSelection,
  type InstallationStatus,
  type IntegrationScope,
  type PauseReason,
} from '@scriptorium/contracts';
import { defineAggregate, emptyKeyed, keyedDrop, keyedGet, keyedPut, type Keyed } from '@scriptorium/event-sourcing';
import { installationEvents, type InstallationEvent, type Installed } from './installation.events.js';
import { targetEvent, type Target } from './target-events.js';

/** A space or site with something of its own. */
export interface TargetState {
  configuration: string | null;
  externalIds: readonly string[];
}

/** What has changed since an integration was installed. */
export interface InstallationState {
  configuration?: string;
  set?: readonly string[];
  externalIds?: readonly string[];
  granted?: readonly IntegrationScope[];
  paused?: PauseReason | undefined;
  /** The generation of the keys with which it signs. */
  signing?: number;
  /** Tokens of earlier generations are refused. */
  generation?: number;
  spaceSelection?: InstallationSelection;
  siteSelection?: InstallationSelection;
  space: Keyed<TargetState>;
  site: Keyed<TargetState>;
}

const newTarget: TargetState = { configuration: null, externalIds: [] };

function evolve(state: InstallationState, event: InstallationEvent): InstallationState {
  switch (event.type) {
    case 'InstallationConfigured':
      return { ...state, configuration: event.data.configuration, set: event.data.set };
    case 'InstallationExternalIdsChanged':
      return { ...state, externalIds: event.data.externalIds };
    case 'InstallationSelectionChanged': {
      const { spaceSelection, siteSelection } = event.data;
      return { ...state, ...(spaceSelection && { spaceSelection }), ...(siteSelection && { siteSelection }) };
    }
    case 'InstallationScopesGranted':
      return { ...state, granted: event.data.scopes };
    case 'InstallationPaused':
      return { ...state, paused: event.data.reason, generation: (state.generation ?? 0) + 1 };
    case 'InstallationResumed':
      return { ...state, paused: undefined };
    case 'InstallationSigningRotated':
      return { ...state, signing: event.data.generation, generation: (state.generation ?? 0) + 1 };
    case 'SpaceInstallationRemoved':
      return { ...state, space: keyedDrop(state.space, event.data.space) };
    case 'SiteInstallationRemoved':
      return { ...state, site: keyedDrop(state.site, event.data.site) };
    default:
      return withTarget(state, event.data);
  }
}

type TargetChange = Partial<TargetState> & ({ space: string } | { site: string });

function withTarget(state: InstallationState, change: TargetChange): InstallationState {
  const [kind, id] = 'space' in change ? (['space', change.space] as const) : (['site', change.site] as const);
  const before = keyedGet(state[kind], id) ?? newTarget;
  const { configuration = before.configuration, externalIds = before.externalIds } = change;
  return { ...state, [kind]: keyedPut(state[kind], id, { configuration, externalIds }) };
}

/** What changes in an installation, from its beginning in the roster on. */
export const installation = defineAggregate<InstallationState, typeof installationEvents>({
  service: 'integrations',
  entity: 'installation',
  events: installationEvents,
  initial: { space: emptyKeyed, site: emptyKeyed },
  evolve,
});

/** A configuration whose values are stored by now. `previous`: the one that it was made of. */
export interface Configured {
  configuration: string;
  set: readonly string[];
  previous: string | null;
  status: InstallationStatus;
  /** What it was until then. */
  statusBefore: InstallationStatus;
}

/** What a change names; what it leaves out stays as it is. */
export interface InstallationChange {
  configured?: Configured | undefined;
  externalIds?: readonly string[] | undefined;
  spaceSelection?: InstallationSelection | undefined;
  siteSelection?: InstallationSelection | undefined;
  /**
   * The scopes that the integration asks for, and the status with them, and the one that it has without; absent for who
   * grants nothing.
   */
  demanded?:
    | {
        scopes: readonly IntegrationScope[];
        version: number;
        status: InstallationStatus;
        statusBefore: InstallationStatus;
      }
    | undefined;
}

/**
 * Changes an installation. With `demanded` it grants what the integration asks for, and resumes what was paused.
 * `began`: as it was installed.
 * @throws AppError `conflict` when somebody else has configured it meanwhile
 */
export function change(state: InstallationState, began: Installed, wanted: InstallationChange): InstallationEvent[] {
  const { configured, externalIds, demanded } = wanted;
  const present = { ...began, ...state };
  const events: InstallationEvent[] = [];
  if (configured !== undefined) {
    requirePresent(present.configuration, configured);
    events.push({ type: 'InstallationConfigured', data: { ...configured, set: [...configured.set] } });
  }
  if (externalIds !== undefined && !isSameList(externalIds, present.externalIds))
    events.push({ type: 'InstallationExternalIdsChanged', data: { externalIds: [...externalIds] } });
  const { spaceSelection = present.spaceSelection, siteSelection = present.siteSelection } = wanted;
  const changed = {
    ...(spaceSelection === present.spaceSelection ? {} : { spaceSelection }),
    ...(siteSelection === present.siteSelection ? {} : { siteSelection }),
  };
  if (Object.keys(changed).length > 0) events.push({ type: 'InstallationSelectionChanged', data: changed });
  return demanded === undefined ? events : [...events, ...grant(state, began, demanded)];
}

function grant(
  state: InstallationState,
  began: Installed,
  demanded: NonNullable<InstallationChange['demanded']>,
): InstallationEvent[] {
  const isGranted = isSameList(demanded.scopes, state.granted ?? began.grantedScopes);
  return [
    ...(isGranted
      ? []
      : [{ type: 'InstallationScopesGranted' as const, data: { ...demanded, scopes: [...demanded.scopes] } }]),
    ...resume(state, demanded.status),
  ];
}

/** Nothing is delivered to it any more, and its tokens are refused. */
export function pause(state: InstallationState, reason: PauseReason): InstallationEvent[] {
  return state.paused === undefined ? [{ type: 'InstallationPaused', data: { reason } }] : [];
}

/** What was paused goes on. `status`: the one that it has then. */
export function resume(state: InstallationState, status: InstallationStatus): InstallationEvent[] {
  return state.paused === undefined ? [] : [{ type: 'InstallationResumed', data: { status } }];
}

/** It signs with other keys, and tokens that it has are refused. */
export function rotateSigning({ signing = 0 }: InstallationState): InstallationEvent[] {
  return [{ type: 'InstallationSigningRotated', data: { generation: signing + 1 } }];
}

/** Adds a space or site; nothing when it is there, or when all are. */
export function addTarget(state: InstallationState, began: Installed, target: Target): InstallationEvent[] {
  const isThere = selectionOf(state, began, target) === 'all' || keyedGet(state[target.kind], target.id) !== undefined;
  return isThere ? [] : [targetEvent.added(target)];
}

/** Takes out a space or site. @throws AppError `selected_by_all` */
export function removeTarget(state: InstallationState, began: Installed, target: Target): InstallationEvent[] {
  if (selectionOf(state, began, target) === 'all') throw new AppError('selected_by_all');
  return dropTarget(state, target);
}

/** The space or site is gone: so is what was installed on it. */
export function dropTarget(state: InstallationState, target: Target): InstallationEvent[] {
  return keyedGet(state[target.kind], target.id) === undefined ? [] : [targetEvent.removed(target)];
}

/**
 * Changes what is installed on a space or site.
 * @throws AppError `not_found` when nothing is, `conflict` when somebody else has configured it meanwhile
 */
export function changeTarget(
  state: InstallationState,
  began: Installed,
  target: Target,
  { configured, externalIds }: Pick<InstallationChange, 'configured' | 'externalIds'>,
): InstallationEvent[] {
  const present = keyedGet(state[target.kind], target.id);
  if (present === undefined && selectionOf(state, began, target) !== 'all') throw new AppError('not_found');
  const before = present ?? newTarget;
  const events: InstallationEvent[] = [];
  if (configured !== undefined) {
    requirePresent(before.configuration, configured);
    events.push(targetEvent.configured(target, { ...configured, set: [...configured.set] }));
  }
  if (externalIds !== undefined && !isSameList(externalIds, before.externalIds))
    events.push(targetEvent.identified(target, [...externalIds]));
  return events;
}

function selectionOf(state: InstallationState, began: Installed, { kind }: Target): InstallationSelection {
  return kind === 'space'
    ? (state.spaceSelection ?? began.spaceSelection)
    : (state.siteSelection ?? began.siteSelection);
}

function requirePresent(present: string | null, { previous }: Configured): void {
  if (present !== previous) throw new AppError('conflict', [], { retryAfter: 1 });
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value, i) => value === other[i]);
}
