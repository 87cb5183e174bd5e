import { AppError } from '@scriptorium/contracts';

export interface StreamLimits {
  /** Streams at a time, of all and of one token. */
  most: number;
  mostOfToken: number;
  /** Milliseconds between two signs of life; so often news are looked for without being told of any. */
  heartbeatMs: number;
  /** Milliseconds that a reader may take for what was sent to them. */
  stallMs: number;
}

/** Why somebody who waited goes on: something happened, or it is time for a sign of life. */
export type Woken = 'news' | 'time' | 'over';

/** One open stream. */
export interface Seat {
  /** Position of the latest event that is said to concern the topic, since it was last asked for. */
  position(): bigint | undefined;
  wait(ms: number): Promise<Woken>;
  /** Ends the stream, with a reason where it is not the reader who left. Once. */
  end(reason?: AppError): void;
  /** Whether, and why, it has ended. */
  ended(): { reason: AppError | undefined } | undefined;
}

/** The open streams of a gateway. */
export interface Seats {
  /** `close`: called once when the stream ends. @throws `rate_limited` and `unavailable` when there are too many */
  take(token: string, topic: string, close: () => void): Seat;
  news(topic: string, position: bigint): void;
  /** Something may have been missed. */
  wakeAll(): void;
  endAll(reason: AppError): void;
  count(): number;
}

export function createSeats({ most, mostOfToken }: Pick<StreamLimits, 'most' | 'mostOfToken'>): Seats {
  const byTopic = new Map<string, Set<OpenSeat>>();
  const byToken = new Map<string, number>();
  let taken = 0;
  const all = (): OpenSeat[] => [...byTopic.values()].flatMap((seats) => [...seats]);
  return {
    take(token, topic, close) {
      const ofToken = byToken.get(token) ?? 0;
      if (ofToken >= mostOfToken) throw new AppError('rate_limited', [], { message: `More than ${mostOfToken} streams of one token`, retryAfter: 15 });
      if (taken >= most) throw new AppError('unavailable', [], { message: 'Too many streams are open', retryAfter: 5 });
      const seats = byTopic.get(topic) ?? new Set();
      const seat = createSeat(() => {
        taken -= 1;
        seats.delete(seat);
        if (seats.size === 0 && byTopic.get(topic) === seats) byTopic.delete(topic);
        const left = (byToken.get(token) ?? 1) - 1;
        if (left === 0) byToken.delete(token);
        else byToken.set(token, left);
        close();
      });
      taken += 1;
      byToken.set(token, ofToken + 1);
      byTopic.set(topic, seats.add(seat));
      return seat;
    },
    news: (topic, position) => byTopic.get(topic)?.forEach((seat) => seat.news(position)),
    wakeAll: () => all().forEach((seat) => seat.news(undefined)),
    endAll: (reason) => all().forEach((seat) => seat.end(reason)),
    count: () => taken,
  };
}

interface OpenSeat extends Seat {
  news(position: bigint | undefined): void;
}

function createSeat(left: () => void): OpenSeat {
  let ended: { reason: AppError | undefined } | undefined;
  let told = false;
  let latest: bigint | undefined;
  let wake: ((woken: Woken) => void) | undefined;
  return {
    position() {
      const position = latest;
      latest = undefined;
      told = false;
      return position;
    },
    async wait(ms) {
      if (ended !== undefined) return 'over';
      if (told) return 'news';
      let timer: NodeJS.Timeout | undefined;
      const woken = await new Promise<Woken>((resolve) => {
        wake = resolve;
        timer = setTimeout(() => resolve('time'), ms);
      });
      clearTimeout(timer);
      wake = undefined;
      return woken;
    },
    news(position) {
      told = true;
      if (position !== undefined && (latest === undefined || position > latest)) latest = position;
      wake?.('news');
    },
    end(reason) {
      if (ended !== undefined) return;
      ended = { reason };
      left();
      wake?.('over');
    },
    ended: () => ended,
  };
}
