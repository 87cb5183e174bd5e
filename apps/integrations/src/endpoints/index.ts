export { dropCallbacks } from './callbacks.operational.js';
