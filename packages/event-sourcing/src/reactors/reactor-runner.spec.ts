import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { defineEvents } from '../events/events.js';
import { silentLogger } from '../process/observe.js';
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
  const parts = {
    namespace: 'test',
    service: 'identity',
    owner: 'replica',
    clock: systemClock,
    logger: silentLogger,
    metrics: {},
    parking: { blocked: () => Promise.resolve(new Set<string>()), asked: () => Promise.resolve(new Set<string>()) },
    consumers: {
      read: ([name]: string[]) => Promise.resolve(new Map([[name, { position: -1n }]])),
      checkpoint: () => Promise.resolve(),
    },
    events: {
      subscribe: () => {
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
    },
  } as unknown as ReactorParts;
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
