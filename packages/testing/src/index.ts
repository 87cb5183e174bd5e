export { eventually } from '@scriptorium/event-sourcing/eventually';
export {
  type AuthorizationRow,
  operationsOf,
  readAuthorizationTable,
  statusesIn,
  statusesOf,
} from './authorization-table.js';
export { shapesOfEvents, shapesOfOperations, shapesOfProjections } from './catalogue.js';
export { someCertificate } from './certificate.js';
export type { InstallationRequest } from './host-protocol.js';
export { openRig } from './open-rig.js';
export { type Answer, type Body, get, type Send } from './requests.js';
export type { Person, Replica, Rig, RigConfig } from './rig.js';
export { createSpaceCallers, type SpaceCaller, spaceCallers, type SpaceCallers } from './space-callers.js';
export { filesWith } from './traces.js';
