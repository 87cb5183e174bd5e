/** Times of a supervisor, in milliseconds. */
export interface Timings {
  /** Waits before the restarts of a child that dies; as many as it has entries, then the child is given up. */
  backoff: readonly number[];
  /** A child that is not ready by then is killed and counts as one that could not start. */
  readyWithin: number;
  /** A child that was ready for that long starts again with the shortest wait. */
  steady: number;
}

export const timings: Timings = {
  backoff: [250, 500, 1_000, 2_000],
  readyWithin: 120_000,
  steady: 10_000,
};
