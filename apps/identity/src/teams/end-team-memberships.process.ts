import type { Scope } from '@scriptorium/platform';
import { endMembership, team } from './team.js';
import { teamPlaces } from './team-place.projection.js';

/**
 * Ends the team memberships of a person who has left the organization. `stay`: the membership that has ended. Safe to
 * repeat.
 */
export async function endTeamMemberships(
  { store }: Pick<Scope, 'store'>,
  ended: { user: string; membership: string },
): Promise<void> {
  const teamMemberships = await store.read(teamPlaces).find({ membership: ended.membership }).toArray();
  for (const teamMembership of teamMemberships) {
    await store.handle(team, teamMembership.team, (state) => endMembership(state, ended));
  }
}
