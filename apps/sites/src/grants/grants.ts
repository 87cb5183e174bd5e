import { AppError, limitReached } from '@scriptorium/contracts';
import type { Level } from '@scriptorium/access';
import { type SiteEvent, requireActive, type SiteGrants, type SiteState } from '../model/index.js';

/** Somebody who gets a grant: a member in their present stay, or a team. */
export type Holder = { user: string; membership: string } | { team: string };

/** Grants a level to each of these, in place of what they had. */
export function give(
  state: SiteState,
  { holders, level, limit }: { holders: readonly Holder[]; level: Level; limit: number },
): SiteEvent[] {
  const { grants } = requireActive(state);
  const changed = holders.filter((holder) => levelOf(grants, holder) !== level);
  const added = changed.filter((holder) => !has(grants, holder)).length;
  const count = grants.users.length + grants.teams.length;
  if (added > 0 && count + added > limit) throw limitReached('grantsPerSite', limit);
  return changed.map((holder) =>
    'team' in holder
      ? { type: 'SiteTeamGrantGiven', data: { team: holder.team, level } }
      : { type: 'SiteUserGrantGiven', data: { user: holder.user, membership: holder.membership, level } },
  );
}

/** Changes a grant. @throws AppError `not_found` when there is none */
export function regive(state: SiteState, holder: Holder, level: Level): SiteEvent[] {
  const { grants } = requireActive(state);
  if (levelOf(grants, holder) === undefined) throw new AppError('not_found');
  return give(state, { holders: [holder], level, limit: Infinity });
}

/** Takes a grant back; one that is not there, or was given in an earlier stay, is none. */
export function takeBack(state: SiteState, holder: Holder): SiteEvent[] {
  const { grants } = requireActive(state);
  return levelOf(grants, holder) === undefined ? [] : [removalOf(holder)];
}

/**
 * Removes what was granted to a member whose stay has ended, or to a team that was deleted. Nothing of a site that is
 * gone.
 */
export function drop(state: SiteState, holder: Holder): SiteEvent[] {
  return state.status === 'absent' || levelOf(state.grants, holder) === undefined ? [] : [removalOf(holder)];
}

function removalOf(holder: Holder): SiteEvent {
  return 'team' in holder
    ? { type: 'SiteTeamGrantRemoved', data: { team: holder.team } }
    : { type: 'SiteUserGrantRemoved', data: { user: holder.user } };
}

/** `undefined`: no grant. What was given in an earlier stay is none. */
function levelOf({ users, teams }: SiteGrants, holder: Holder): Level | undefined {
  if ('team' in holder) return teams.find(({ team }) => team === holder.team)?.level;
  return users.find(({ user, membership }) => user === holder.user && membership === holder.membership)?.level;
}

function has({ users, teams }: SiteGrants, holder: Holder): boolean {
  return 'team' in holder
    ? teams.some(({ team }) => team === holder.team)
    : users.some(({ user }) => user === holder.user);
}
