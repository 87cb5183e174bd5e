import type { CommandContext, Store } from '@scriptorium/event-sourcing';
import { dropStay, team } from './team.js';
import { teamPlaces } from './team-place.projection.js';

/** Records in each team of a stay in an organization that the person has left. Safe to repeat. */
export async function dropFromTeams(store: Store, stay: { user: string; membership: string }, command: CommandContext): Promise<void> {
  const places = await store.collection(teamPlaces).find({ membership: stay.membership }).toArray();
  for (const place of places) {
    await store.handle(team, place.team, command, (state) => dropStay(state, stay));
  }
}
