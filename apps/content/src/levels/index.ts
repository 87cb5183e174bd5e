export { isAbove, refuseHigher } from './levels.js';
