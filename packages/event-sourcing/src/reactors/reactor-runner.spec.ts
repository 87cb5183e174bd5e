import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type EventSource } from '../events/event-source.js';
import { type EventStore } from '../events/event-store.js';
import { defineEvents } from '../events/events.js';
import { type ConsumerEntry, type Consumers } from '../leases/consumers.js';
import { silentLogger } from '../process/observe.js';
import { type ParkingLot } from './parked.js';
import { reactor } from './reactor.js';
import { reactorTask, type ReactorParts } from './reactor-runner.js';
import { type RunningTask } from '../leases/tasks.js';
import { pause, systemClock } from '../process/time.js';

const running: RunningTask[] = [];
afterEach(async () => {
  for (const task of running.splice(0)) await task.stop();
});

/** Parts whose first `times` subscriptions break immediately. Later ones wait. */
function brokenFirst(times: number, onBroken: () => void) {
  let subscriptions = 0;
  const entry = { position: -1n } as ConsumerEntry;
  const nothing = (_consumer: string) => Promise.resolve(new Set<string>());
  const parts: ReactorParts = {
    namespace: 'test',
    service: 'identity',
    owner: 'replica',
    clock: systemClock,
    logger: silentLogger,
    metrics: {},
    parking: { blocked: nothing, asked: nothing } as ParkingLot,
    consumers: {
      read: ([name = '']: readonly string[]) => Promise.resolve(new Map([[name, entry]])),
    } as Consumers,
    checkpoints: { note: () => undefined, flush: () => Promise.resolve() },
    feed: { join: () => undefined },
    scopeOf: () => {
      throw new Error('this reactor reacts to nothing');
    },
    events: {
      subscribe: (_prefixes: readonly string[], _after: bigint): EventSource => {
        subscriptions += 1;
        const breaks = subscriptions <= times;
        let end = (): void => undefined;
        const ended = new Promise<never>((_, reject) => (end = () => reject(new Error('stopped'))));
        ended.catch(() => undefined);
        return {
          next: () => {
            if (!breaks) return ended;
            onBroken();
            return Promise.reject(new Error('the connection broke'));
          },
          stop: () => Promise.resolve(end()),
        };
      },
    } as EventStore,
  };
  return { parts, subscriptions: () => subscriptions };
}

describe('a reactor', () => {
  it('continues after its lease was unsure for a moment without a subscription', async () => {
    let sure = true;
    const { parts, subscriptions } = brokenFirst(1, () => {
      sure = false;
      setTimeout(() => (sure = true), 300);
    });
    const events = [defineEvents({ TeamCreated: z.object({}) })];
    const echo = reactor({
      name: 'echo',
      version: 1,
      entities: ['identity.team'],
      events,
      react: () => Promise.resolve(),
    });
    running.push(reactorTask(parts, echo).run({ name: echo.consumer, epoch: 1 }, () => sure));
    const end = performance.now() + 5_000;
    while (subscriptions() < 2 && performance.now() < end) await pause(10);
    expect(subscriptions()).toBe(2);
  });
});
