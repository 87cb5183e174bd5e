import type { TeamRole } from '@scriptorium/contracts';
import { projection, type Recorded, type Write } from '@scriptorium/event-sourcing';
import { type RosterEvent, rosterEvents, type TeamEvent, teamEvents } from '../events/index.js';

export interface TeamMemberDocument {
  organization: string;
  team: string;
  user: string;
  membership: string;
  role: TeamRole;
  joinedAt: string;
}

/** The key of a team member: one person in one team. */
export function teamMemberKey(team: string, user: string): string {
  return `${team}:${user}`;
}

type Consumed = Recorded<TeamEvent | RosterEvent>;

function writes(event: Consumed): Write<TeamMemberDocument>[] {
  const team = event.entityId;
  switch (event.type) {
    case 'TeamMemberAdded': {
      const key = teamMemberKey(team, event.data.user);
      const organization = event.meta.organization ?? '';
      return [{ put: key, doc: { organization, team, ...event.data, joinedAt: event.meta.time } }];
    }
    case 'TeamMemberRoleChanged':
      return [{ set: teamMemberKey(team, event.data.user), fields: { role: event.data.role } }];
    case 'TeamMemberRemoved':
      return [{ remove: teamMemberKey(team, event.data.user) }];
    case 'TeamDeleted':
      return [{ removeWhere: { team } }];
    // A removed member disappears from the teams at once, before each team has recorded it.
    case 'MemberRemoved':
      return [{ removeWhere: { membership: event.data.membership } }];
    default:
      return [];
  }
}

export const teamMembers = projection({
  name: 'team_member',
  version: 2,
  entities: ['identity.team', 'identity.roster'],
  events: [
    teamEvents.pick('TeamMemberAdded', 'TeamMemberRoleChanged', 'TeamMemberRemoved', 'TeamDeleted'),
    rosterEvents.pick('MemberRemoved'),
  ],
  indexes: [
    { key: { team: 1, joinedAt: 1, _id: 1 } },
    { key: { organization: 1, user: 1, role: 1 } },
    { key: { membership: 1 } },
  ],
  writes,
});
