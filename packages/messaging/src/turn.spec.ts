import { describe, expect, it } from '@jest/globals';
import { createTurn } from './turn.js';

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('messages of one turn of the event loop', () => {
  const recorded = () => {
    const turn = createTurn();
    const sent: string[] = [];
    const gathered = turn.gather<{ to: string; n: number }>((items) => {
      sent.push(`${items[0]?.to}: ${items.map(({ n }) => n).join()}`);
    });
    return { turn, sent, add: (n: number, to = 'a') => gathered({ to, n }) };
  };

  it('are sent at its end as one batch to each receiver, in order', async () => {
    const { sent, add } = recorded();
    for (const n of [1, 2, 3]) add(n);
    add(4, 'b');
    add(5);
    await Promise.resolve();
    expect(sent).toEqual([]);
    await nextTurn();
    expect(sent).toEqual(['a: 1,2,3,5', 'b: 4']);
    add(6);
    await nextTurn();
    expect(sent.slice(2)).toEqual(['a: 6']);
  });

  it('are sent earlier when there are many, so that the receiver can begin', async () => {
    const { sent, add } = recorded();
    for (let n = 0; n < 40; n += 1) add(n);
    expect(sent.map((messageBatch) => messageBatch.split(',').length)).toEqual([16, 16]);
    await nextTurn();
    expect(sent.map((messageBatch) => messageBatch.split(',').length)).toEqual([16, 16, 8]);
  });

  it('are sent at once before a connection is drained or closed', () => {
    const { turn, sent, add } = recorded();
    add(1);
    turn.end();
    expect(sent).toEqual(['a: 1']);
  });
});
