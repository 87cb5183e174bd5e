import { keyedEntries, keyedGet, type Keyed } from '@scriptorium/event-sourcing';
import type { Grants } from '../grants/index.js';
import type { SpaceSettings } from './space-settings.js';
import type { SpaceEvent } from './space.events.js';

/** Who may do what with a space, as far as the space itself says it. */
export interface SpaceAccess extends Pick<SpaceSettings, 'defaultLevel'> {
  grants: Grants;
}

/** A part of that: the level of everybody, or what one user or team is granted. */
export type AccessPart = 'defaultLevel' | { user: string } | { team: string };

/** What a space has to record to say the same as another one: in all, or in one part. */
export function followAccess(own: SpaceAccess, other: SpaceAccess, part?: AccessPart): SpaceEvent[] {
  if (part === 'defaultLevel') return followDefaultLevel(own, other);
  if (part !== undefined) return 'user' in part ? followUser(own, other, part.user) : followTeam(own, other, part.team);
  return [
    ...followDefaultLevel(own, other),
    ...namesIn(own.grants.users, other.grants.users).flatMap((user) => followUser(own, other, user)),
    ...namesIn(own.grants.teams, other.grants.teams).flatMap((team) => followTeam(own, other, team)),
  ];
}

function namesIn<V>(...some: Keyed<V>[]): string[] {
  return [...new Set(some.flatMap((one) => keyedEntries(one).map(([name]) => name)))].sort();
}

function followDefaultLevel(own: SpaceAccess, { defaultLevel: level }: SpaceAccess): SpaceEvent[] {
  return own.defaultLevel === level ? [] : [{ type: 'SpaceDefaultLevelChanged', data: { level } }];
}

function followUser(own: SpaceAccess, other: SpaceAccess, user: string): SpaceEvent[] {
  const [before, after] = [keyedGet(own.grants.users, user), keyedGet(other.grants.users, user)];
  if (after === undefined) return before === undefined ? [] : [{ type: 'SpaceUserGrantRemoved', data: { user } }];
  const isSame = before?.membership === after.membership && before.level === after.level;
  return isSame ? [] : [{ type: 'SpaceUserGrantGiven', data: { user, ...after } }];
}

function followTeam(own: SpaceAccess, other: SpaceAccess, team: string): SpaceEvent[] {
  const [before, level] = [keyedGet(own.grants.teams, team), keyedGet(other.grants.teams, team)];
  if (level === undefined) return before === undefined ? [] : [{ type: 'SpaceTeamGrantRemoved', data: { team } }];
  return before === level ? [] : [{ type: 'SpaceTeamGrantGiven', data: { team, level } }];
}
