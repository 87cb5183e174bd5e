export { oneTimeAddress } from './begin-callback.process.js';
export { dropCallbacks } from './callbacks.operational.js';
