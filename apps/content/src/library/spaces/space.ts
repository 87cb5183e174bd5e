import { AppError } from '@scriptorium/contracts';
import { defineAggregate } from '@scriptorium/event-sourcing';
import { followAccess, type AccessPart } from './follow-access.js';
import { holdingChanged, notHeld, type Holding } from './holding.js';
import { newSpace, spaceSettingsChanged, type SpaceSettings } from './space-settings.js';
import { spaceEvents, type SpaceEvent } from './space.events.js';
import { grantsAfter, noGrants, type DecideGrants, type GrantChange, type Grants } from '../grants/index.js';

export type Space = { status: 'absent' } | ActiveSpace;

interface ActiveSpace extends SpaceSettings, Holding {
  status: 'active';
  organization: string;
  grants: Grants;
}

function evolve(state: Space, event: SpaceEvent): Space {
  if (event.type === 'SpaceCreated')
    return { status: 'active', ...newSpace, ...notHeld, ...event.data, grants: noGrants };
  if (state.status === 'absent') return state;
  if (event.type === 'SpaceTransferred') return { ...state, ...event.data, grants: noGrants };
  const change = grantChangeOf(event);
  return {
    ...state,
    ...spaceSettingsChanged(event),
    ...holdingChanged(event),
    grants: change === undefined ? state.grants : grantsAfter(state.grants, change),
  };
}

/** Settings and grants of a space. Where it stands, and whether it is deleted, is in the library. */
export const space = defineAggregate({
  service: 'content',
  entity: 'space',
  events: spaceEvents,
  initial: { status: 'absent' },
  evolve,
});

interface NewSpace
  extends
    Pick<SpaceSettings, 'title' | 'emoji' | 'language' | 'editMode'>,
    Partial<Pick<SpaceSettings, 'icon' | 'mergeRules'>> {
  organization: string;
  /** The member who creates it, and becomes its admin; nobody for the result of a translation. */
  creator: { user: string; membership: string } | undefined;
  /** The translation that makes its content. */
  translation?: string | undefined;
}

export function create(state: Space, wanted: NewSpace): SpaceEvent[] {
  const { creator, icon = null, mergeRules = null, translation, ...settings } = wanted;
  if (state.status !== 'absent') throw new AppError('already_exists');
  return [
    { type: 'SpaceCreated', data: settings },
    ...(translation === undefined ? [] : [{ type: 'SpaceHeld', data: { translation } } as const]),
    ...(icon === null ? [] : [recorded.icon(icon)]),
    ...(mergeRules === null ? [] : [recorded.mergeRules(mergeRules)]),
    ...(creator === undefined ? [] : [{ type: 'SpaceUserGrantGiven', data: { ...creator, level: 'admin' } } as const]),
  ];
}

export type Change = { [K in keyof SpaceSettings]?: SpaceSettings[K] | undefined };

/** The event that records a setting's new value. */
const recorded: { [K in keyof SpaceSettings]: (value: SpaceSettings[K]) => SpaceEvent } = {
  title: (title) => ({ type: 'SpaceRenamed', data: { title } }),
  emoji: (emoji) => ({ type: 'SpaceEmojiChanged', data: { emoji } }),
  icon: (icon) => ({ type: 'SpaceIconChanged', data: { icon } }),
  language: (language) => ({ type: 'SpaceLanguageChanged', data: { language } }),
  editMode: (mode) => ({ type: mode === 'locked' ? 'SpaceLocked' : 'SpaceUnlocked', data: {} }),
  mergeRules: (rules) => ({ type: 'SpaceMergeRulesChanged', data: { rules } }),
  defaultLevel: (level) => ({ type: 'SpaceDefaultLevelChanged', data: { level } }),
};

/** One event for each setting that differs. An emoji takes the place of an icon, and an icon that of an emoji. */
export function configure(state: Space, change: Change): SpaceEvent[] {
  if (state.status === 'absent') throw new AppError('not_found');
  const wanted: Change = {
    ...(typeof change.emoji === 'string' ? { icon: null } : {}),
    ...(typeof change.icon === 'string' ? { emoji: null } : {}),
    ...change,
  };
  const record = <K extends keyof SpaceSettings>(name: K): SpaceEvent[] => {
    const value = wanted[name];
    return value === undefined || JSON.stringify(value) === JSON.stringify(state[name]) ? [] : [recorded[name](value)];
  };
  return (Object.keys(recorded) as (keyof SpaceSettings)[]).flatMap(record);
}

/** The content is not made by a translation any more. Nothing when it is not made by this one, or the space is gone. */
export function release(state: Space, translation: string): SpaceEvent[] {
  if (state.status === 'absent' || state.readOnly?.translation !== translation) return [];
  return [{ type: 'SpaceReleased', data: {} }];
}

/**
 * The result of a translation grants what its source does: all of it, or one part. Nothing when it is a space like
 * others, or one of them is gone.
 */
export function followSource(
  state: Space,
  source: Space,
  { translation, part }: { translation: string; part?: AccessPart | undefined },
): SpaceEvent[] {
  if (state.status === 'absent' || source.status === 'absent') return [];
  const isResult = state.readOnly?.translation === translation && state.organization === source.organization;
  return isResult ? followAccess(state, source, part) : [];
}

/** The space belongs to another organization. Nothing when it does already, or is gone. */
export function transferTo(state: Space, organization: string): SpaceEvent[] {
  if (state.status === 'absent' || state.organization === organization) return [];
  return [{ type: 'SpaceTransferred', data: { organization } }];
}

/**
 * Changes what the space grants in an organization.
 * @throws AppError `not_found` for a space that is gone, or whose stream does not say that it belongs to that
 * organization
 */
export function changeGrants(state: Space, organization: string | null, decide: DecideGrants): SpaceEvent[] {
  if (state.status === 'absent' || state.organization !== organization) throw new AppError('not_found');
  return decide(state.grants).map(({ type, data }) => ({ type: `Space${type}`, data }) as SpaceEvent);
}

function grantChangeOf({ type, data }: SpaceEvent): GrantChange | undefined {
  return type.startsWith('SpaceUserGrant') || type.startsWith('SpaceTeamGrant')
    ? ({ type: type.slice('Space'.length), data } as GrantChange)
    : undefined;
}
