import { AppError } from '@scriptorium/contracts';

/** What came of jobs: of the first one at least, of each job at most once. */
export type Outcomes<R> = readonly [PromiseSettledResult<R>, ...PromiseSettledResult<R>[]];

/**
 * Works on the first job of a key, and on as many of those behind it as it likes: one outcome for each, in their order.
 */
export type WorkOnBatch<J, R> = (jobs: readonly [J, ...J[]]) => Promise<Outcomes<R>>;

/** Jobs of one key in the order of arrival. Different keys do not wait for each other. */
export interface BatchQueue<J, R> {
  /**
   * What came of the job. When the work throws, only the first job gets the error.
   * @throws AppError `unavailable` when too many jobs of the key wait, and what the job was rejected with
   */
  run(key: string, job: J): Promise<R>;
}

/** One after the other per key, in the order of arrival; different keys do not wait for each other. */
export interface KeyedQueue {
  /**
   * What comes of the work. @throws AppError `unavailable` when too much work of the key waits, and what the work
   * throws
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

interface Waiting<J, R> {
  job: J;
  settle(outcome: PromiseSettledResult<R>): void;
}

/** `bound`: jobs of one key, with those that are being done. */
export function createBatchQueue<J, R>(bound: number, work: WorkOnBatch<J, R>): BatchQueue<J, R> {
  const lines = new Map<string, Waiting<J, R>[]>();
  const serve = async (key: string, line: Waiting<J, R>[]): Promise<void> => {
    for (let [first, ...behind] = line; first !== undefined; [first, ...behind] = line)
      for (const outcome of await outcomesOf(work, [first.job, ...behind.map(({ job }) => job)]))
        line.shift()?.settle(outcome);
    lines.delete(key);
  };
  const join = (key: string, waiting: Waiting<J, R>): void => {
    const present = lines.get(key);
    if (present === undefined) {
      const line = [waiting];
      lines.set(key, line);
      // Whoever comes in the same moment is there when the work begins.
      queueMicrotask(() => void serve(key, line));
    } else if (present.length < bound) present.push(waiting);
    else
      throw new AppError('unavailable', [], { message: 'too many commands wait for the same object', retryAfter: 1 });
  };
  return {
    async run(key, job) {
      const outcome = await new Promise<PromiseSettledResult<R>>((settle) => join(key, { job, settle }));
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    },
  };
}

async function outcomesOf<J, R>(work: WorkOnBatch<J, R>, jobs: readonly [J, ...J[]]): Promise<Outcomes<R>> {
  try {
    return await work(jobs);
  } catch (reason) {
    return allRejected([jobs[0]], reason);
  }
}

/** The outcome of jobs that all fail by the same. */
export function allRejected([, ...behind]: readonly [unknown, ...unknown[]], reason: unknown): Outcomes<never> {
  const failed = { status: 'rejected', reason } as const;
  return [failed, ...behind.map(() => failed)];
}

/** `bound`: work of one key, with what is being done. */
export function createKeyedQueue(bound: number): KeyedQueue {
  const queue = createBatchQueue<() => Promise<unknown>, unknown>(bound, async ([work]) => [
    { status: 'fulfilled', value: await work() },
  ]);
  return { run: <T>(key: string, work: () => Promise<T>) => queue.run(key, work) as Promise<T> };
}
