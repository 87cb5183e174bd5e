export {
  deliveries,
  deliveriesKeptMs,
  insertCall,
  isCall,
  removeOldDeliveries,
  slots,
  type CallType,
  type Delivery,
} from './deliveries.operational.js';
export { lastInstallations, targetKey, type LastInstallationDocument } from './last-installation.projection.js';
export { handlePause } from './pause.process.js';
export { Planner } from './planner.process.js';
