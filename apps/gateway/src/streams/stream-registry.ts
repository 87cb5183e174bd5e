import { AppError } from '@scriptorium/contracts';

export interface StreamLimits {
  /** Open streams at a time, of all tokens together. */
  most: number;
  /** Open streams at a time of one token. */
  mostOfToken: number;
  /** Milliseconds between two heartbeats; after each, the list is read again even if no service announced an event. */
  heartbeatMs: number;
  /** Milliseconds that a client may take to read what was sent. */
  stallMs: number;
}

/** Why a waiting stream continues: an event was announced, a heartbeat is due, or the stream has ended. */
export type Woken = 'announced' | 'heartbeat' | 'ended';

/** One open stream. */
export interface OpenStream {
  /** Position of the latest event that was announced for the topic since the last call. */
  position(): bigint | undefined;
  wait(ms: number): Promise<Woken>;
  /** Ends the stream, with a reason unless the client left. Later calls do nothing. */
  end(reason?: AppError): void;
  /** Whether the stream has ended, and why. */
  ended(): { reason: AppError | undefined } | undefined;
}

/** The open streams of a gateway. */
export interface StreamRegistry {
  /**
   * Adds a stream. `close`: called once when it ends. @throws `rate_limited` or `unavailable` when too many are open
   */
  open(token: string, topic: string, close: () => void): OpenStream;
  /** Wakes the streams of a topic. */
  announce(topic: string, position: bigint): void;
  /** Wakes all streams, because announcements may have been lost. */
  wakeAll(): void;
  endAll(reason: AppError): void;
  count(): number;
}

/** Builds an empty registry. */
export function createStreamRegistry({
  most,
  mostOfToken,
}: Pick<StreamLimits, 'most' | 'mostOfToken'>): StreamRegistry {
  const byTopic = new Map<string, Set<WakeableStream>>();
  const byToken = new Map<string, number>();
  let count = 0;
  const all = (): WakeableStream[] => [...byTopic.values()].flatMap((streams) => [...streams]);
  const add = (stream: WakeableStream, token: string, topic: string): void => {
    count += 1;
    byToken.set(token, (byToken.get(token) ?? 0) + 1);
    byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(stream));
  };
  const remove = (stream: WakeableStream, token: string, topic: string): void => {
    count -= 1;
    const ofTopic = byTopic.get(topic);
    ofTopic?.delete(stream);
    if (ofTopic?.size === 0) byTopic.delete(topic);
    const ofToken = (byToken.get(token) ?? 1) - 1;
    if (ofToken === 0) byToken.delete(token);
    else byToken.set(token, ofToken);
  };
  return {
    open(token, topic, close) {
      refuseTooMany(byToken.get(token) ?? 0, count, { most, mostOfToken });
      const stream = createStream(() => {
        remove(stream, token, topic);
        close();
      });
      add(stream, token, topic);
      return stream;
    },
    announce: (topic, position) => byTopic.get(topic)?.forEach((stream) => stream.wake(position)),
    wakeAll: () => all().forEach((stream) => stream.wake(undefined)),
    endAll: (reason) => all().forEach((stream) => stream.end(reason)),
    count: () => count,
  };
}

function refuseTooMany(
  ofToken: number,
  ofAll: number,
  { most, mostOfToken }: Pick<StreamLimits, 'most' | 'mostOfToken'>,
): void {
  if (ofToken >= mostOfToken) {
    const message = `A token may have at most ${mostOfToken} open streams (setting MAX_STREAMS_PER_TOKEN)`;
    throw new AppError('rate_limited', [], { message, retryAfter: 15 });
  }
  if (ofAll >= most) throw new AppError('unavailable', [], { message: 'Too many streams are open', retryAfter: 5 });
}

interface WakeableStream extends OpenStream {
  wake(position: bigint | undefined): void;
}

function createStream(removed: () => void): WakeableStream {
  let ended: { reason: AppError | undefined } | undefined;
  let announced = false;
  let latest: bigint | undefined;
  let resume: ((woken: Woken) => void) | undefined;
  return {
    position() {
      const position = latest;
      latest = undefined;
      announced = false;
      return position;
    },
    async wait(ms) {
      if (ended !== undefined) return 'ended';
      if (announced) return 'announced';
      let timer: NodeJS.Timeout | undefined;
      const woken = await new Promise<Woken>((resolve) => {
        resume = resolve;
        timer = setTimeout(() => resolve('heartbeat'), ms);
      });
      clearTimeout(timer);
      resume = undefined;
      return woken;
    },
    wake(position) {
      announced = true;
      if (position !== undefined && (latest === undefined || position > latest)) latest = position;
      resume?.('announced');
    },
    end(reason) {
      if (ended !== undefined) return;
      ended = { reason };
      removed();
      resume?.('ended');
    },
    ended: () => ended,
  };
}
