export {
  dropStay,
  dropTeam,
  give,
  grantsAfter,
  noGrants,
  regive,
  takeBack,
  type GrantChange,
  type Grants,
} from './grants.js';
export { grantTo, refuseDefaultLevel, regrant, removeGrant, type ChangeGrants } from './change-grants.process.js';
export { listLevels, listTeamGrants, listUserGrants } from './grants.queries.js';
export { endGrantsOfStay, endGrantsOfTeam, endLateGrant, type EndingGrants } from './end-grants.process.js';
