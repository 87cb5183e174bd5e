export {
  dropStay,
  dropTeam,
  exceeds,
  give,
  grantsAfter,
  noGrants,
  refuseRaise,
  regive,
  takeBack,
  type GrantChange,
  type Grants,
} from './grants.js';
export { grantTo, regrant, removeGrant, type ChangeGrants } from './change-grants.process.js';
export { listLevels, listTeamGrants, listUserGrants } from './grants.queries.js';
