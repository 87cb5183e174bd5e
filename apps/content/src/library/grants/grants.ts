import { AppError, blaming, limitReached } from '@scriptorium/contracts';
import type { DefaultLevel, Level, NodeGrants } from '@scriptorium/access';
import { emptyKeyed, keyedDrop, keyedEntries, keyedGet, keyedPut, type Keyed } from '@scriptorium/event-sourcing';
import { isAbove } from '../nodes/index.js';

/** What a space or collection itself grants, as its stream says. */
export interface Grants {
  /** `membership`: the stay in the organization for which it was given. */
  users: Keyed<{ membership: string; level: Level }>;
  teams: Keyed<Level>;
}

export const noGrants: Grants = { users: emptyKeyed, teams: emptyKeyed };

/** A change of grants, of spaces and collections alike: the payload of an event, and the last part of its type. */
export type GrantChange =
  | { type: 'UserGrantGiven'; data: { user: string; membership: string; level: Level } }
  | { type: 'UserGrantRemoved'; data: { user: string } }
  | { type: 'TeamGrantGiven'; data: { team: string; level: Level } }
  | { type: 'TeamGrantRemoved'; data: { team: string } };

export function grantsAfter(grants: Grants, change: GrantChange): Grants {
  const { users, teams } = grants;
  switch (change.type) {
    case 'UserGrantGiven': {
      const { user, membership, level } = change.data;
      return { users: keyedPut(users, user, { membership, level }), teams };
    }
    case 'UserGrantRemoved':
      return { users: keyedDrop(users, change.data.user), teams };
    case 'TeamGrantGiven':
      return { users, teams: keyedPut(teams, change.data.team, change.data.level) };
    case 'TeamGrantRemoved':
      return { users, teams: keyedDrop(teams, change.data.team) };
  }
}

/** Somebody who gets a grant: a member in their present stay, or a team. */
export type Holder = { user: string; membership: string } | { team: string };

/** Whoever changes grants does so up to their own level. */
export interface Granting {
  /** The level of whoever grants. */
  own: Level;
  /** Grants that a space or collection can have. */
  limit: number;
}

/** Grants a level to each of these, in place of what they had. */
export function give(
  grants: Grants,
  { holders, level, own, limit }: Granting & { holders: readonly Holder[]; level: Level },
): GrantChange[] {
  if (isAbove(level, own)) throw blaming('forbidden', 'body.role', 'The level is above your own');
  const changes = holders.flatMap((holder): GrantChange[] => {
    const present = presentLevel(grants, holder);
    if (present === level) return [];
    requireReach(present, own);
    return [
      'user' in holder
        ? { type: 'UserGrantGiven', data: { user: holder.user, membership: holder.membership, level } }
        : { type: 'TeamGrantGiven', data: { team: holder.team, level } },
    ];
  });
  const size = changes.reduce(grantsAfter, grants);
  const count = size.users.size + size.teams.size;
  if (count > limit && count > grants.users.size + grants.teams.size) throw limitReached('grantsPerNode', limit);
  return changes;
}

/** Changes a grant. @throws AppError `not_found` when there is none */
export function regive(
  grants: Grants,
  { holder, level, ...granting }: Granting & { holder: Holder; level: Level },
): GrantChange[] {
  if (presentLevel(grants, holder) === undefined) throw new AppError('not_found');
  return give(grants, { holders: [holder], level, ...granting });
}

/** Takes a grant back; one that is not there, or was given in an earlier stay, is none. */
export function takeBack(grants: Grants, { holder, own }: { holder: Holder; own: Level }): GrantChange[] {
  const present = presentLevel(grants, holder);
  if (present === undefined) return [];
  requireReach(present, own);
  return ['user' in holder ? removalOf({ user: holder.user }) : removalOf({ team: holder.team })];
}

/** Removes the grant that came with a stay which has ended. */
export function dropStay(grants: Grants, { user, membership }: { user: string; membership: string }): GrantChange[] {
  return keyedGet(grants.users, user)?.membership === membership ? [removalOf({ user })] : [];
}

/** Removes the grant of a team that was deleted. */
export function dropTeam(grants: Grants, { team }: { team: string }): GrantChange[] {
  return keyedGet(grants.teams, team) === undefined ? [] : [removalOf({ team })];
}

function removalOf(whom: { user: string } | { team: string }): GrantChange {
  return 'user' in whom ? { type: 'UserGrantRemoved', data: whom } : { type: 'TeamGrantRemoved', data: whom };
}

/** `undefined`: no grant. What was given in an earlier stay is none. */
function presentLevel({ users, teams }: Grants, holder: Holder): Level | undefined {
  if ('team' in holder) return keyedGet(teams, holder.team);
  const grant = keyedGet(users, holder.user);
  return grant?.membership === holder.membership ? grant.level : undefined;
}

function requireReach(present: Level | undefined, own: Level): void {
  if (present !== undefined && isAbove(present, own))
    throw new AppError('forbidden', [], { message: 'The level that was granted is above your own' });
}

/** What a node grants, in the form in which levels are resolved. */
export function nodeGrantsOf({ users, teams }: Grants, defaultLevel: DefaultLevel): NodeGrants {
  return { defaultLevel, users: new Map(keyedEntries(users)), teams: new Map(keyedEntries(teams)) };
}
