/** Arbitrary documents, for the specs of whatever shows documents. */
export { documents } from './test/arbitraries.js';
export { runs, SEED } from '@scriptorium/toolchain/generated';
