export { CallScript } from './call-script.process.js';
export { Dispatcher } from './dispatcher.process.js';
export { dropDelivered } from './drop-delivered.process.js';
export { attemptsOf, dropTracesOf, type AttemptRecord } from './traces.operational.js';
