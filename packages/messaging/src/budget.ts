/** Limits the bytes that all transfers of one connection hold together. */
export interface Budget {
  /** Reserves bytes. Returns the function that releases them, which works once, or undefined when too few are left. */
  take(bytes: number): (() => void) | undefined;
  readonly used: number;
}

/** Creates a budget of `limit` bytes. */
export function createBudget(limit: number): Budget {
  let used = 0;
  return {
    take(bytes) {
      if (used + bytes > limit) return undefined;
      used += bytes;
      let held = bytes;
      return () => {
        used -= held;
        held = 0;
      };
    },
    get used() {
      return used;
    },
  };
}
