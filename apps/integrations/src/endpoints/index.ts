export { oneTimeAddress } from './begin-callback.process.js';
