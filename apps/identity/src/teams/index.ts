export { createTeam } from './create-team.process.js';
export { endTeamMemberships } from './end-team-memberships.process.js';
export { renderTeam } from './teams.queries.js';
export { leaveOrganization } from './leave-organization.process.js';
export { changeMembers, remove as removeTeam, rename as renameTeam, team } from './team.js';
export { teams } from './team.projection.js';
