import { AppError } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import { collectionEvents, type CollectionEvent } from './collection.events.js';
import { collectionSettingsChanged, type CollectionSettings } from './collection-settings.js';
import { grantsAfter, noGrants, type DecideGrants, type GrantChange, type Grants } from '../grants/index.js';

export type Collection =
  { status: 'absent' } | ({ status: 'active'; organization: string; grants: Grants } & CollectionSettings);

function evolve(state: Collection, event: CollectionEvent): Collection {
  if (event.type === 'CollectionCreated')
    return { status: 'active', defaultLevel: 'inherit', ...event.data, grants: noGrants };
  if (state.status === 'absent') return state;
  if (event.type === 'CollectionTransferred') return { ...state, ...event.data, grants: noGrants };
  const change = grantChangeOf(event);
  return {
    ...state,
    ...collectionSettingsChanged(event),
    grants: change === undefined ? state.grants : grantsAfter(state.grants, change),
  };
}

/** Settings and grants of a collection. Where it stands, and whether it is deleted, is in the library. */
export const collection = defineAggregate({
  service: 'content',
  entity: 'collection',
  events: collectionEvents,
  initial: { status: 'absent' },
  evolve,
});

interface NewCollection {
  organization: string;
  title: string;
  /** The member who creates it, and becomes its admin. */
  creator: { user: string; membership: string };
}

export function create(state: Collection, { organization, title, creator }: NewCollection): CollectionEvent[] {
  if (state.status !== 'absent') throw new AppError('already_exists');
  return [
    { type: 'CollectionCreated', data: { organization, title, description: null } },
    { type: 'CollectionUserGrantGiven', data: { ...creator, level: 'admin' } },
  ];
}

export type Change = { [K in keyof CollectionSettings]?: CollectionSettings[K] | undefined };

/** One event for each setting that differs. */
export function configure(state: Collection, { title, description, defaultLevel }: Change): CollectionEvent[] {
  if (state.status === 'absent') throw new AppError('not_found');
  const events: CollectionEvent[] = [];
  if (title !== undefined && title !== state.title) events.push({ type: 'CollectionRenamed', data: { title } });
  if (description !== undefined && description !== state.description)
    events.push({ type: 'CollectionDescriptionChanged', data: { description } });
  if (defaultLevel !== undefined && defaultLevel !== state.defaultLevel)
    events.push({ type: 'CollectionDefaultLevelChanged', data: { level: defaultLevel } });
  return events;
}

/** The collection belongs to another organization. Nothing when it does already, or is gone. */
export function transferTo(state: Collection, organization: string): CollectionEvent[] {
  if (state.status === 'absent' || state.organization === organization) return [];
  return [{ type: 'CollectionTransferred', data: { organization } }];
}

/**
 * Changes what the collection grants in an organization.
 * @throws AppError `not_found` for a collection that is gone, or whose stream does not say that it belongs to that
 * organization
 */
export function changeGrants(state: Collection, organization: string | null, decide: DecideGrants): CollectionEvent[] {
  if (state.status === 'absent' || state.organization !== organization) throw new AppError('not_found');
  return decide(state.grants).map(({ type, data }) => ({ type: `Collection${type}`, data }) as CollectionEvent);
}

function grantChangeOf({ type, data }: CollectionEvent): GrantChange | undefined {
  return type.startsWith('CollectionUserGrant') || type.startsWith('CollectionTeamGrant')
    ? ({ type: type.slice('Collection'.length), data } as GrantChange)
    : undefined;
}
