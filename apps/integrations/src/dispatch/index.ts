export { CallScript } from './call-script.process.js';
export { Dispatcher } from './dispatcher.process.js';
export { attemptsOf, type AttemptRecord } from './traces.operational.js';
