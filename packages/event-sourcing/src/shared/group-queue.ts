import { AppError } from '@scriptorium/contracts';

/** What came of jobs, of the first one at least. */
export type Outcomes<R> = readonly [PromiseSettledResult<R>, ...PromiseSettledResult<R>[]];

/** Works on the first job of a key, and on as many of those behind it as it likes: one outcome for each, in their order. */
export type WorkTogether<J, R> = (jobs: readonly [J, ...J[]]) => Promise<Outcomes<R>>;

/** Jobs of one key in the order of arrival; those that have come meanwhile can be done together. Different keys do not wait for each other. */
export interface GroupQueue<J, R> {
  /** When the work itself throws, the first job gets the error. More jobs of a key than the bound are refused with `AppError('unavailable')`. */
  run(key: string, job: J, work: WorkTogether<J, R>): Promise<R>;
}

interface Waiting<J, R> {
  job: J;
  work: WorkTogether<J, R>;
  settle(outcome: PromiseSettledResult<R>): void;
}

/** `bound`: jobs of one key, with those that are being done. */
export function createGroupQueue<J, R>(bound: number): GroupQueue<J, R> {
  const lines = new Map<string, Waiting<J, R>[]>();
  const serve = async (key: string, line: Waiting<J, R>[]): Promise<void> => {
    for (let [first, ...behind] = line; first !== undefined; [first, ...behind] = line)
      for (const outcome of await outcomesOf(first, behind)) line.shift()?.settle(outcome);
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
    async run(key, job, work) {
      const outcome = await new Promise<PromiseSettledResult<R>>((settle) => join(key, { job, work, settle }));
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    },
  };
}

async function outcomesOf<J, R>(first: Waiting<J, R>, behind: readonly Waiting<J, R>[]): Promise<Outcomes<R>> {
  try {
    return await first.work([first.job, ...behind.map(({ job }) => job)]);
  } catch (reason) {
    return [{ status: 'rejected', reason }];
  }
}
