import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { type TeamEvent, teamEvents } from '../events/index.js';
import { teamMemberKey } from '../organization-read-models/index.js';

/**
 * Team memberships as the teams themselves have recorded them. `team_member` drops a person as soon as they leave the
 * organization. This projection keeps them until the team has recorded that too.
 */
export interface TeamPlaceDocument {
  team: string;
  membership: string;
}

function writes(event: Recorded<TeamEvent>): Write<TeamPlaceDocument>[] {
  const team = event.entityId;
  switch (event.type) {
    case 'TeamMemberAdded': {
      const { user, membership } = event.data;
      return [{ put: teamMemberKey(team, user), doc: { team, membership } }];
    }
    case 'TeamMemberRemoved':
      return [{ remove: teamMemberKey(team, event.data.user) }];
    case 'TeamDeleted':
      return [{ removeWhere: { team } }];
    default:
      return [];
  }
}

export const teamPlaces = projection({
  name: 'team_place',
  version: 2,
  entities: ['identity.team'],
  events: [teamEvents.pick('TeamMemberAdded', 'TeamMemberRemoved', 'TeamDeleted')],
  indexes: [{ key: { membership: 1 } }, { key: { team: 1 } }],
  writes,
});
