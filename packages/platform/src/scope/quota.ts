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
interface Line {
  /** The most that they add together. */
  claimed: number;
  people: number;
  waiting: number;
  /** Resolves when all of them are done. */
  done: Promise<unknown>;
}

const longestWait = 1_000;

/** Creates the quotas of a process, which all requests of the process share. */
export function createQuotas(limits: Limits): Quotas {
  const lines = new Map<string, Line>();
  return {
    async within(claim, work) {
      const key = `${claim.limit}:${claim.of}`;
      const line = lines.get(key) ?? { claimed: 0, people: 0, waiting: 0, done: Promise.resolve() };
      lines.set(key, line);
      const before = { claimed: line.claimed, done: line.done };
      const leave = enter(line, claim.most);
      try {
        await admit(claim, limits[claim.limit], line, before);
        return await work();
      } finally {
        leave();
        if (line.people === 0) lines.delete(key);
      }
    },
  };
}

function enter(line: Line, most: number): () => void {
  let end: () => void = () => undefined;
  const mine = new Promise<void>((resolve) => (end = resolve));
  line.claimed += most;
  line.people += 1;
  line.done = Promise.all([line.done, mine]);
  return () => {
    line.claimed -= most;
    line.people -= 1;
    end();
  };
}

/** Resolves when the request fits, whatever the requests before it add. Later requests count this one. */
async function admit(claim: Claim, limit: number, line: Line, before: Pick<Line, 'claimed' | 'done'>): Promise<void> {
  const seen = await claim.look();
  if (seen.more === 0 || seen.present + seen.more + before.claimed <= limit) return;
  if (seen.present + seen.more <= limit) {
    await inTurn(line, before.done);
    const { present, more } = await claim.look();
    if (more === 0 || present + more <= limit) return;
  }
  if ((await claim.made?.()) !== true) throw limitReached(claim.limit, limit);
}

async function inTurn(line: Line, before: Promise<unknown>): Promise<void> {
  if (line.waiting >= longestWait)
    throw new AppError('unavailable', [], { message: 'Too many wait for the same room', retryAfter: 1 });
  line.waiting += 1;
  try {
    await before;
  } finally {
    line.waiting -= 1;
  }
}
