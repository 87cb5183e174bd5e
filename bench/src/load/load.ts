import { findProgram } from '../processes/paths.js';
import type { Load, LoadResult } from './model.js';
import { runAutocannon } from './with-autocannon.js';
import { runWrk } from './with-wrk.js';

/** Sends requests as fast as they are answered, with wrk when it is there. */
export function runLoad(load: Load): Promise<LoadResult> {
  const wrk = findProgram('wrk');
  return wrk === undefined ? runAutocannon(load) : runWrk(wrk, load);
}

/** Name of the load generator that `runLoad` takes. */
export function loadGenerator(): string {
  return findProgram('wrk') === undefined ? 'autocannon' : 'wrk';
}
