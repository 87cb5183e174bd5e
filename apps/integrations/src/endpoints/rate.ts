const mostKnown = 100_000;

/** Counts requests of each key within a second. */
export class RatePerSecond {
  readonly #most: number;
  readonly #now: () => number;
  #since = 0;
  #counts = new Map<string, number>();

  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  /** Whether one more request fits. */
  take(key: string): boolean {
    const now = this.#now();
    if (now - this.#since >= 1_000 || this.#counts.size >= mostKnown) {
      this.#since = now;
      this.#counts = new Map();
    }
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count <= this.#most;
  }
}
