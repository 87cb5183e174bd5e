export {
  connectMessaging,
  type BroadcastHandler,
  type BroadcastSubscription,
  type Messaging,
  type MessagingOptions,
  type MessagingStatus,
} from './messaging.js';
export { type Answer, type ServiceRequest, type MessagingClient } from './client.js';
export { type MessagingLogger } from './connection.js';
export { type ServedAnswer, type ServedRequest, type Service } from './job.js';
export { type Serving } from './serve.js';
