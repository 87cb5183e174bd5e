import { defineDomain } from '@scriptorium/platform';
import { teamsAccess } from './access.js';
import { RemoveMemberController } from './remove-member.controller.js';
import { TeamSearch } from './search/team-search.queries.js';
import { teams as teamDocs } from './team.projection.js';
import { teamPlaces } from './team-place.projection.js';
import { TeamsController } from './teams.controller.js';
import { deletedOrganizationsReactor, lateTeamsReactor, removedMembersReactor } from './teams.reactor.js';

/** The teams of organizations and their members. */
export const teams = defineDomain({
  name: 'teams',
  controllers: [TeamsController, RemoveMemberController],
  projections: [teamDocs, teamPlaces],
  objects: ({ context }) => [new TeamSearch(context)],
  reactors: () => [removedMembersReactor, deletedOrganizationsReactor, lateTeamsReactor],
  resolvers: () => teamsAccess,
});
