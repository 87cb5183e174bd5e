import { describe, expect, it } from '@jest/globals';
import { type EventSource } from './event-source.js';
import { silentLogger } from './observe.js';
import { type ReactorParts, reactorTask } from './reactor-runner.js';
import { reactor } from './reactor.js';
import { someMetadata } from './testing.js';
import { teamEvents } from './test/team.js';
import { pause, systemClock } from './time.js';

/** A log of one event, read anew by each session. */
function sourceOfOne(): EventSource {
  const stopped = new AbortController();
  let given = false;
  return {
    async next() {
      if (given) await pause(60_000, stopped.signal);
      if (stopped.signal.aborted) throw new Error('the subscription was stopped');
      given = true;
      const event = { id: 'e', type: 'TeamDeleted', data: {}, metadata: someMetadata(), stream: 'ns.identity.team-t', revision: 0n, position: 1n, created: new Date(0) };
      return { events: [event], position: 1n, caughtUp: true };
    },
    stop: () => Promise.resolve(stopped.abort()),
  };
}

describe('a reactor at work', () => {
  it('goes on when a lease that was in doubt is kept', async () => {
    const standing = { owner: 'me', epoch: 1, beat: 0, position: -1n, fingerprint: 'task', state: 'building' as const, problem: undefined };
    let reacted: (id: string) => void = () => undefined;
    const parts = {
      namespace: 'ns', service: 'identity', owner: 'me', clock: systemClock, logger: silentLogger, metrics: {},
      consumers: { read: () => Promise.resolve(new Map([['reactor_r_v1', standing]])), checkpoint: () => Promise.resolve() },
      parking: { blocked: () => Promise.resolve(new Set<string>()) },
      events: { subscribe: sourceOfOne },
      contextOf: () => ({}),
    } as unknown as ReactorParts;
    const task = reactorTask(parts, reactor({ name: 'r', events: [teamEvents], entities: ['team'], react: ({ id }) => Promise.resolve(reacted(id)) }));
    let looks = 0;
    const first = new Promise((resolve) => (reacted = resolve));
    const running = task.run({ name: 'reactor_r_v1', epoch: 1 }, () => (looks += 1) > 2);
    await expect(first).resolves.toBe('e');
    await running.stop();
  });
});
