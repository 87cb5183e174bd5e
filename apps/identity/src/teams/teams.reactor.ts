import { reactor, type Reactor } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { rosterEvents } from '../members/roster.events.js';
import { dropFromTeams } from './drop-from-teams.process.js';

/** Whoever left an organization leaves its teams, also when the process that removed them died in between. */
export function teamsReactor(service: ServiceContext): Reactor {
  return reactor({
    name: 'teams_of_removed_members',
    version: 1,
    entities: ['identity.roster'],
    events: [rosterEvents.pick('MemberRemoved')],
    react: (event, { context }) => dropFromTeams(service.store, event.data, context),
  });
}
