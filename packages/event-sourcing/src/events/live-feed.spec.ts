import { describe, expect, it } from '@jest/globals';
import { type Batch, type EventSource } from '../events/event-source.js';
import { type RawEvent } from './events.js';
import { FellBehind, createLiveFeed } from './live-feed.js';

/** A log to which the spec adds events. It counts its subscriptions. */
function fakeLog() {
  const opened: { after: bigint; push: (batch: Batch) => void; fail: (error: Error) => void; stopped: boolean }[] = [];
  const subscribe = (_prefixes: readonly string[], after: bigint): EventSource => {
    const waiting: ((batch: Batch) => void)[] = [];
    const ready: Batch[] = [];
    let failed: ((error: Error) => void) | undefined;
    const subscription = {
      after,
      push: (batch: Batch) => {
        const next = waiting.shift();
        if (next === undefined) ready.push(batch);
        else next(batch);
      },
      fail: (error: Error) => failed?.(error),
      stopped: false,
    };
    opened.push(subscription);
    return {
      next: () =>
        new Promise((resolve, reject) => {
          failed = reject;
          const batch = ready.shift();
          if (batch === undefined) waiting.push(resolve);
          else resolve(batch);
        }),
      stop: () => Promise.resolve(void (subscription.stopped = true)),
    };
  };
  return { opened, subscribe };
}

const event = (stream: string, position: number, data: unknown = {}): RawEvent => ({
  id: `e${position}`,
  type: 'Happened',
  data,
  metadata: {},
  stream,
  revision: 0n,
  position: BigInt(position),
  created: new Date(0),
});
const batch = (...events: RawEvent[]): Batch => ({ events, position: events.at(-1)?.position, caughtUp: true });

describe('the live feed', () => {
  it('is one subscription for all members, each of which gets the events of its streams', async () => {
    const log = fakeLog();
    const feed = createLiveFeed(log, () => ['a-', 'b-']);
    const [one, two] = [feed.join(['a-'], 5n), feed.join(['b-'], 7n)];
    log.opened[0]?.push(batch(event('a-1', 6), event('b-1', 7), event('b-1', 8)));
    const [first, second] = await Promise.all([one?.next(10, 0), two?.next(10, 0)]);
    expect(log.opened).toHaveLength(1);
    expect(first?.events.map(({ id }) => id)).toEqual(['e6']);
    // Events from before its joining are not delivered again.
    expect(second?.events.map(({ id }) => id)).toEqual(['e8']);
    expect([first?.position, second?.position]).toEqual([8n, 8n]);
  });

  it('does not accept a member that would miss events already delivered', async () => {
    const log = fakeLog();
    const feed = createLiveFeed(log, () => ['a-']);
    const one = feed.join(['a-'], 5n);
    log.opened[0]?.push(batch(event('a-1', 9)));
    await one?.next(10, 0);
    expect(feed.join(['a-'], 8n)).toBeUndefined();
    expect(feed.join(['a-'], 9n)).toBeDefined();
  });

  it('removes a member with too many waiting events or bytes', async () => {
    const log = fakeLog();
    const feed = createLiveFeed(log, () => ['a-']);
    const [slow, quick] = [feed.join(['a-'], 0n), feed.join(['a-'], 0n)];
    const large = 'x'.repeat(1024 * 1024);
    for (let position = 1; position <= 6; position += 1) {
      log.opened[0]?.push(batch(event('a-1', position, { large })));
      await expect(quick?.next(10, 0)).resolves.toMatchObject({ events: [{ id: `e${position}` }] });
    }
    await expect(slow?.next(10, 0)).rejects.toThrow(FellBehind);
  });

  it('fails for all members when its subscription breaks, and starts again with the next member', async () => {
    const log = fakeLog();
    const feed = createLiveFeed(log, () => ['a-']);
    const one = feed.join(['a-'], 5n);
    const waiting = one?.next(10, 0);
    log.opened[0]?.fail(new Error('the server went away'));
    await expect(waiting).rejects.toThrow('the server went away');
    expect(feed.join(['a-'], 3n)).toBeDefined();
    expect(log.opened.map(({ after }) => after)).toEqual([5n, 3n]);
  });

  it('ends its subscription with the last member', async () => {
    const log = fakeLog();
    const feed = createLiveFeed(log, () => ['a-']);
    const [one, two] = [feed.join(['a-'], 5n), feed.join(['a-'], 5n)];
    await one?.stop();
    expect(log.opened[0]?.stopped).toBe(false);
    await two?.stop();
    expect(log.opened[0]?.stopped).toBe(true);
  });
});
