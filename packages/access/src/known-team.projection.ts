import { teamEventSchemas } from '@scriptorium/contracts';
import { defineEvents, projection, type EventOf, type Recorded } from '@scriptorium/event-sourcing';

/** A team that exists. */
export interface KnownTeamDocument {
  organization: string;
}

const teamEvents = defineEvents(teamEventSchemas).pick('TeamCreated', 'TeamDeleted');

function evolve(_doc: KnownTeamDocument | null, event: Recorded<EventOf<typeof teamEvents>>): KnownTeamDocument | null {
  return event.type === 'TeamCreated' ? { organization: event.data.organization } : null;
}

/** All teams. Who is in them is in `team_seat`, which does not know of teams without members. */
export const knownTeams = projection({
  name: 'known_team',
  version: 1,
  entities: ['identity.team'],
  events: [teamEvents],
  indexes: [{ key: { organization: 1 } }],
  id: (event) => event.entityId,
  evolve,
});
