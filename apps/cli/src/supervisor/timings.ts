/** The times of a supervisor, in milliseconds. */
export interface Timings {
  /** Pauses before the restarts of a child. After the last one the child is given up. */
  backoff: readonly number[];
  /** A child that is not ready after this time is killed, which counts as a failed start. */
  readyWithin: number;
  /** After a child was ready for this time, its next restart has the shortest pause. */
  steady: number;
}

export const timings: Timings = {
  backoff: [250, 500, 1_000, 2_000],
  readyWithin: 120_000,
  steady: 10_000,
};
