export { gatewayDefaults } from './gateway-defaults.js';
export type { RigService } from './installation.js';
export { environmentOf } from './environment-of.js';
export { asOneClient } from './one-client.js';
export { type OwnRig, startOwnRig } from './own-rig.js';
