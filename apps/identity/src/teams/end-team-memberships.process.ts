import type { Scope } from '@scriptorium/platform';
import { dropStay, team } from './team.js';
import { teamPlaces } from './team-place.projection.js';

/**
 * Ends the team memberships of a person who has left the organization. `stay`: the membership that has ended. Safe to
 * repeat.
 */
export async function endTeamMemberships(
  { store }: Pick<Scope, 'store'>,
  stay: { user: string; membership: string },
): Promise<void> {
  const places = await store.read(teamPlaces).find({ membership: stay.membership }).toArray();
  for (const place of places) {
    await store.handle(team, place.team, (state) => dropStay(state, stay));
  }
}
