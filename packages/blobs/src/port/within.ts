/** What `promise` gives. @throws what `late` makes, when `ms` milliseconds pass before that */
export function within<T>(promise: Promise<T>, ms: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    // A longer delay than a timer can hold would end at once.
    const timer = setTimeout(() => reject(late()), Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
    void promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const LONGEST_TIMER_MS = 2_147_483_647;
