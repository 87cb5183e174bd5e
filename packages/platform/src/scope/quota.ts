import { AppError, limitReached, type LimitName, type Limits } from '@scriptorium/contracts';

/** How many there are, and how many more a request would make. */
export interface Demand {
  present: number;
  more: number;
}

export interface Claim {
  limit: LimitName;
  /** Whose room it is: the organization, the user. */
  of: string;
  /** The most that the request can make. */
  most: number;
  /** Reads the demand from read models; called again after others have made theirs. */
  look(): Promise<Demand>;
  /** Whether the request was carried out before: a repetition is not refused. Asked only when there is no room. */
  made?(): Promise<boolean>;
}

/** Keeps limits whose count stands in a read model. */
export interface Quotas {
  /**
   * Does work that needs room, when there is some. Work must show what it made before it resolves, as `handle` does. While
   * the room is enough for everybody who asks for it at once nobody waits; otherwise each waits for those before and then
   * counts again. So it holds exactly in one process, whereas of several replicas each may admit what all of them saw room for.
   * @throws AppError `limit_reached` naming the limit; `unavailable` when a thousand wait for the same room.
   */
  within<T>(claim: Claim, work: () => Promise<T>): Promise<T>;
}

/** Those who have asked for the room of one object and are not done. */
interface Line {
  /** The most that they make together. */
  claimed: number;
  people: number;
  waiting: number;
  /** Resolves when all of them are done. */
  done: Promise<unknown>;
}

const longestWait = 1_000;

/** One for each process: those who claim the same room meet in it. */
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

/** Resolves when the claim fits, whatever those before make of theirs. Who comes later counts this one. */
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
