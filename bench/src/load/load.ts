import { findProgram } from '../processes/paths.js';
import { runAutocannon } from './with-autocannon.js';
import { runWrk } from './with-wrk.js';

export interface LoadRequest {
  method: 'GET' | 'PATCH';
  path: string;
  /** JSON; each `{n}` becomes a number that no other request of the run has on this connection. */
  body?: string;
}

export interface Load {
  /** Scheme, host and port. */
  endpoint: string;
  token?: string;
  requests: readonly LoadRequest[];
  /** Whether connection `i` sends request `i` only; otherwise all requests are sent in turn. */
  perConnection: boolean;
  connections: number;
  seconds: number;
}

export interface LoadResult {
  /** Requests answered in a second. */
  rate: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers other than 2xx, and requests without one. */
  failures: number;
}

/** Sends requests as fast as they are answered, with wrk when it is there. */
export function runLoad(load: Load): Promise<LoadResult> {
  const wrk = findProgram('wrk');
  return wrk === undefined ? runAutocannon(load) : runWrk(wrk, load);
}

/** Name of the load generator that `runLoad` takes. */
export function loadGenerator(): string {
  return findProgram('wrk') === undefined ? 'autocannon' : 'wrk';
}
