export { connectMessaging, type Messaging, type MessagingOptions, type MessagingStatus } from './messaging.js';
export { type Answer, type ServiceRequest, type MessagingClient } from './client.js';
export { type Serving } from './serve.js';
export { type ServedAnswer, type ServedRequest, type Service } from './service.js';
export { type BroadcastHandler, type BroadcastOptions, type BroadcastSubscription } from './broadcast.js';
export { type MessagingLogger } from './logger.js';
export { MAX_BODY_BYTES, MAX_TRANSFER_BYTES } from './limits.js';
