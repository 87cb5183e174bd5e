export { causesIn, causesOf, countCauses, organizationOf, positionsOf } from './causes.queries.js';
export { causesKeptMs } from './kept-causes.process.js';
export {
  countQueued,
  deliveries,
  deliveryOf,
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
  tellsOfEnd,
  type AnyDelivery,
  type CallType,
  type Deliveries,
  type Delivery,
  type WebhookDelivery,
} from './deliveries.operational.js';
export { lastInstallations, targetKey, type LastInstallationDocument } from './last-installation.projection.js';
export { lastIntegrations } from './last-integration.projection.js';
export { outbox, type OutboxDocument } from './outbox.projection.js';
export { handlePause } from './pause.process.js';
export { Planner } from './planner.process.js';
export { plannedFor, plannedForWebhooks, statusOfReceiver, type Receiver } from './receivers.js';
export { dropVisibility } from './visibility.operational.js';
export { handleDisabling } from './disable-webhook.process.js';
export {
  allDeliveries,
  isForWebhook,
  queueOf,
  testDelivery,
  webhookDeliveries,
  webhookDelivery,
  webhookOf,
} from './webhook-deliveries.operational.js';
