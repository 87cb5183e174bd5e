export { CallScript } from './call-script.process.js';
export { Dispatcher } from './dispatcher.process.js';
export { dropDelivered } from './drop-delivered.process.js';
export { sendWebhook } from './send-webhook.process.js';
export { addAttempt, attemptsOf, attemptsOfAll, dropTracesOf, type AttemptRecord } from './traces.operational.js';
export { webhookData, webhookMessage } from './webhook-message.js';
export { hasArrived } from './webhook-outcome.js';
