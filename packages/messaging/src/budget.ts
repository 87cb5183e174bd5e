/** Bytes that transfers of one connection hold together. */
export interface Budget {
  /** Takes the bytes and answers the function that gives them back (once), or undefined when too few are left. */
  take(bytes: number): (() => void) | undefined;
  readonly used: number;
}

/** A budget of so many bytes. */
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
