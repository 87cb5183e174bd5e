export { adjustedRandIndex } from './rand-index.js';
export { simulate, type Simulated } from './simulate.js';
