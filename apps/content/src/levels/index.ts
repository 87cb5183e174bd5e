export { isAbove } from './levels.js';
