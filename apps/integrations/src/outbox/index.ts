export {
  deliveries,
  deliveriesKeptMs,
  dropDeliveries,
  insertCall,
  insertDeliveries,
  isAnyQueued,
  isAnyQueuedFor,
  isCall,
  removeOldDeliveries,
  slots,
  taskDelivery,
  taskOf,
  type CallType,
  type Deliveries,
  type Delivery,
} from './deliveries.operational.js';
export { lastInstallations, targetKey, type LastInstallationDocument } from './last-installation.projection.js';
export { lastIntegrations } from './last-integration.projection.js';
export { outbox } from './outbox.projection.js';
export { handlePause } from './pause.process.js';
export { Planner } from './planner.process.js';
