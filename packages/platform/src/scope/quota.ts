import { AppError, limitReached, type LimitName, type Limits } from '@scriptorium/contracts';

/** How many objects exist, and how many a request would add. */
export interface Demand {
  present: number;
  more: number;
}

export interface Claim {
  limit: LimitName;
  /** The owner of the quota: an organization or a user. */
  of: string;
  /** The most objects that the request can add. */
  most: number;
  /** Reads the demand from read models. It is called again after other requests have finished. */
  look(): Promise<Demand>;
  /**
   * Whether the request was carried out before, since a repetition is not refused. Called only when the limit is
   * reached.
   */
  made?(): Promise<boolean>;
}

/** Enforces limits whose count is in a read model. */
export interface Quotas {
  /**
   * Does work within the limit. The read models must show what the work has added before it resolves, as `handle`
   * ensures. As long as all concurrent requests fit together, none waits. Otherwise each waits for the ones before it
   * and counts again. So the limit is exact in one process, whereas several replicas may each admit up to the number
   * that all of them saw.
   * @throws AppError `limit_reached` naming the limit, `unavailable` when a thousand requests wait for one quota
   */
  within<T>(claim: Claim, work: () => Promise<T>): Promise<T>;
}

/** The unfinished requests of one quota. */
interface Unfinished {
  /** The most objects that they can add together. */
  claimed: number;
  requests: number;
  /** How many of the requests wait for those before them. */
  waiting: number;
  /** Resolves when all of them are done. */
  done: Promise<unknown>;
}

/** The most requests that wait for one quota. */
const mostWaiting = 1_000;

/** Creates the quotas of a process, which all requests of the process share. */
export function createQuotas(limits: Limits): Quotas {
  const quotas = new Map<string, Unfinished>();
  return {
    async within(claim, work) {
      const key = `${claim.limit}:${claim.of}`;
      const unfinished = quotas.get(key) ?? { claimed: 0, requests: 0, waiting: 0, done: Promise.resolve() };
      quotas.set(key, unfinished);
      const before = { claimed: unfinished.claimed, done: unfinished.done };
      const finish = register(unfinished, claim.most);
      try {
        await admit(claim, limits[claim.limit], unfinished, before);
        return await work();
      } finally {
        finish();
        if (unfinished.requests === 0) quotas.delete(key);
      }
    },
  };
}

function register(unfinished: Unfinished, most: number): () => void {
  let resolveDone: () => void = () => undefined;
  const own = new Promise<void>((resolve) => (resolveDone = resolve));
  unfinished.claimed += most;
  unfinished.requests += 1;
  unfinished.done = Promise.all([unfinished.done, own]);
  return () => {
    unfinished.claimed -= most;
    unfinished.requests -= 1;
    resolveDone();
  };
}

/** Resolves when the request fits, whatever the requests before it add. Later requests count this one. */
async function admit(
  claim: Claim,
  limit: number,
  unfinished: Unfinished,
  before: Pick<Unfinished, 'claimed' | 'done'>,
): Promise<void> {
  const seen = await claim.look();
  if (seen.more === 0 || seen.present + seen.more + before.claimed <= limit) return;
  if (seen.present + seen.more <= limit) {
    await waitForEarlier(unfinished, before.done);
    const { present, more } = await claim.look();
    if (more === 0 || present + more <= limit) return;
  }
  if ((await claim.made?.()) !== true) throw limitReached(claim.limit, limit);
}

async function waitForEarlier(unfinished: Unfinished, before: Promise<unknown>): Promise<void> {
  if (unfinished.waiting >= mostWaiting)
    throw new AppError('unavailable', [], { message: 'Too many requests wait for the same limit', retryAfter: 1 });
  unfinished.waiting += 1;
  try {
    await before;
  } finally {
    unfinished.waiting -= 1;
  }
}
