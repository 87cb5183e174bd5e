export { dropLater, keptForMs } from './drop-sealed.timer.js';
export { configurations, partOf, secrets } from './sealed.operational.js';
