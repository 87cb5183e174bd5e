import { describe, expect, it } from '@jest/globals';
import { Retention } from './retention.js';

describe('the retention of conversations', () => {
  const begun = async (days: number) => {
    const planned: unknown[] = [];
    const schedule = (timer: object) => Promise.resolve(void planned.push(timer));
    const retention = new Retention(days, { now: () => 1_000, store: { timers: { schedule } } });
    await retention.start();
    return planned;
  };

  it('is planned at each start, unless conversations are kept for ever', async () => {
    expect(await begun(395)).toMatchObject([{ id: 'expire_conversations', at: 1_000 }]);
    expect(await begun(0)).toEqual([]);
  });
});
