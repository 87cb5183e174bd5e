import { projection, type Recorded } from '@scriptorium/event-sourcing';
import { teamEvents, type TeamEvent } from './team.events.js';
import { teamMemberKey } from './team-member.projection.js';

/**
 * Places in teams as the teams themselves have recorded them. `team_member` hides a place as soon as its holder leaves
 * the organization; this one shows it until the team has recorded that too.
 */
export interface TeamPlaceDocument {
  team: string;
  membership: string;
}

function evolve(doc: TeamPlaceDocument | null, event: Recorded<TeamEvent>): TeamPlaceDocument | null {
  if (event.type === 'TeamMemberAdded') {
    const { membership } = event.data;
    return { team: event.entityId, membership };
  }
  return event.type === 'TeamMemberRemoved' ? null : doc;
}

export const teamPlaces = projection({
  name: 'team_place',
  version: 1,
  entities: ['identity.team'],
  events: [teamEvents.pick('TeamMemberAdded', 'TeamMemberRemoved')],
  indexes: [{ key: { membership: 1 } }],
  id: (event) => ('user' in event.data ? teamMemberKey(event.entityId, event.data.user) : null),
  evolve,
});
