import { rosterEventSchemas, teamEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded, type Write } from '@scriptorium/event-sourcing';

/** A member in a team. */
export interface TeamSeat {
  organization: string;
  team: string;
  user: string;
  /** Id of the membership in the organization with which the person joined the team. */
  membership: string;
}

const teamEvents = defineEvents(teamEventSchemas).pick('TeamMemberAdded', 'TeamMemberRemoved', 'TeamDeleted');
const rosterEvents = defineEvents(rosterEventSchemas).pick('MemberRemoved', 'RosterClosed');
type Consumed = Recorded<EventOf<typeof teamEvents> | EventOf<typeof rosterEvents>>;

function writes(event: Consumed): Write<TeamSeat>[] {
  switch (event.type) {
    case 'TeamMemberAdded': {
      const { user, membership } = event.data;
      const team = event.entityId;
      const organization = event.meta.organization ?? '';
      return [{ put: `${team}:${user}`, doc: { organization, team, user, membership } }];
    }
    case 'TeamMemberRemoved':
      return [{ remove: `${event.entityId}:${event.data.user}` }];
    case 'TeamDeleted':
      return [{ removeWhere: { team: event.entityId } }];
    // A removed member leaves all teams at once. The teams record it later, one after the other.
    case 'MemberRemoved':
      return [{ removeWhere: { membership: event.data.membership } }];
    case 'RosterClosed':
      return [{ removeWhere: { organization: event.entityId } }];
  }
}

/** The team seats of all organizations. */
export const teamSeats = projection({
  name: 'team_seat',
  version: 1,
  entities: ['identity.team', 'identity.roster'],
  events: [teamEvents, rosterEvents],
  indexes: [{ key: { organization: 1, user: 1 } }, { key: { team: 1 } }, { key: { membership: 1 } }],
  writes,
});
