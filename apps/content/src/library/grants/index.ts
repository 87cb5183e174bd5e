export { refuseDefaultLevel } from './change-grants.process.js';
export { findMembers } from './directory.queries.js';
export type { DecideGrants, GrantingKind } from './granting-kind.js';
export { grantControllers } from './grants.controllers.js';
export { grantReactors } from './grants.reactors.js';
export { type GrantChange, type Grants, grantsAfter, noGrants } from './grants.js';
