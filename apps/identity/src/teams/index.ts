export { endTeamMemberships } from './end-team-memberships.process.js';
export { renderTeam } from './team.render.js';
export { changeMembers, team } from './team.js';
export { teams } from './team.projection.js';
