export { type Asker, connectAsker } from './ask.js';
export {
  type AuthorizationRow,
  operationsOf,
  readAuthorizationTable,
  statusesIn,
  statusesOf,
} from './authorization-table.js';
export { shapesOfEvents, shapesOfOperations, shapesOfProjections } from './catalogue.js';
export { someCertificate } from './certificate.js';
export { gatewayDefaults } from './gateway-defaults.js';
export { asOneClient } from './one-client.js';
export { type Answer, type Body, get, type Send } from './requests.js';
export { type Person, type Rig, type RigService, startRig } from './rig.js';
export { createSpaceCallers, type SpaceCaller, spaceCallers, type SpaceCallers } from './space-callers.js';
export { startIssuer, type TokenIssuer } from './token-issuer.js';
export { filesWith } from './traces.js';
