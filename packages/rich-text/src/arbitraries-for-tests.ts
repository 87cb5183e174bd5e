/** Arbitrary documents, for the specs of whatever shows documents. */
export { documents, runs, SEED } from './test/arbitraries.js';
