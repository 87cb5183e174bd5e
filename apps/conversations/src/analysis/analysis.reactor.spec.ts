import { describe, expect, it } from '@jest/globals';
import type { StoreScope } from '@scriptorium/event-sourcing';
import type { ServiceContext } from '@scriptorium/platform';
import { saidReactor } from './analysis.reactor.js';

describe('the analysis of what was said', () => {
  /** A store whose read models show the event or do not, and the timers that were scheduled in it. */
  function storeThat({ shows }: { shows: boolean }): { store: StoreScope; timers: string[] } {
    const timers: string[] = [];
    const store: Partial<StoreScope> = {
      waitUntilVisible: () => Promise.resolve(shows),
      isLive: () => true,
      in: () => store as StoreScope,
      schedule: ({ id }) => Promise.resolve(void timers.push(id)),
    };
    return { store: store as StoreScope, timers };
  }
  const context: Partial<ServiceContext> = { now: () => 1_000 };
  const said = { position: 1n, type: 'ConversationIngested', meta: { organization: 'o1' } };
  type Said = Parameters<ReturnType<typeof saidReactor>['react']>[0];
  const react = (store: StoreScope) =>
    saidReactor(context as ServiceContext).react(said as Partial<Said> as Said, store);

  it('is scheduled when the read model shows the conversation', async () => {
    const { store, timers } = storeThat({ shows: true });
    await react(store);
    expect(timers).toEqual(['analyse_conversations:o1:1200']);
  });

  it('is not scheduled before, since it would not find the conversation', async () => {
    const { store, timers } = storeThat({ shows: false });
    await expect(react(store)).rejects.toThrow('not up to date');
    expect(timers).toEqual([]);
  });
});
