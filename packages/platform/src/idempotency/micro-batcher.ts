interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

const inFlight = 2;
const most = 500;

/**
 * Batches the items of one turn of the event loop: at most 500 in a batch, two batches at a time. `work` returns one
 * result for each item, in order. Its errors are thrown to all callers of the batch.
 */
export function microBatcher<T, R>(work: (items: readonly T[]) => Promise<readonly R[]>): (item: T) => Promise<R> {
  const waiting: Waiting<T, R>[] = [];
  let running = 0;
  let scheduled = false;
  const schedule = (): void => {
    if (scheduled || running >= inFlight || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      running += 1;
      void run(work, waiting.splice(0, most)).finally(() => {
        running -= 1;
        schedule();
      });
      schedule();
    });
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

async function run<T, R>(
  work: (items: readonly T[]) => Promise<readonly R[]>,
  batch: readonly Waiting<T, R>[],
): Promise<void> {
  try {
    const results = await work(batch.map(({ item }) => item));
    batch.forEach(({ resolve }, index) => resolve(results[index] as R));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
