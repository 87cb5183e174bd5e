export { findMembers, findTeams, presentStays, requireHolders } from './directory.queries.js';
export { knownTeams } from './known-team.projection.js';
