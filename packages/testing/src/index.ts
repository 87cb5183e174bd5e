export { someCertificate } from './certificate.js';
export { gatewayDefaults } from './gateway-defaults.js';
export { type Answer, type Body, get, type Send } from './requests.js';
export { type Person, type Rig, type RigService, startRig } from './rig.js';
