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
export { refuseDefaultLevel } from './change-grants.process.js';
export { grantControllers } from './grants.controllers.js';
export { grantReactors } from './grants.reactors.js';
export type { DecideGrants, GrantingKind } from './granting-kind.js';
