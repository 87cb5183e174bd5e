export { dropLater, keptForMs } from './drop-sealed.timer.js';
export { configurations, partOf, secrets, tasks } from './sealed.operational.js';
export { signatureHeaders } from './signing.process.js';
