import { describe, expect, it } from '@jest/globals';
import { createTurn } from './turn.js';

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('what comes up in one turn of the event loop', () => {
  const recorded = () => {
    const turn = createTurn();
    const sent: number[] = [];
    const add = (n: number): void => turn.add(() => void sent.push(n));
    return { turn, sent, add };
  };

  it('is sent together at its end, in order', async () => {
    const { sent, add } = recorded();
    for (const n of [1, 2, 3]) add(n);
    await Promise.resolve();
    expect(sent).toEqual([]);
    await nextTurn();
    expect(sent).toEqual([1, 2, 3]);
    add(4);
    await nextTurn();
    expect(sent).toEqual([1, 2, 3, 4]);
  });

  it('is sent earlier when there is much of it, so that the receiver can begin', async () => {
    const { sent, add } = recorded();
    const numbers = Array.from({ length: 40 }, (_, n) => n);
    numbers.forEach(add);
    expect(sent).toEqual(numbers.slice(0, 32));
    await nextTurn();
    expect(sent).toEqual(numbers);
  });

  it('is sent at once before a connection is drained or closed', () => {
    const { turn, sent, add } = recorded();
    add(1);
    turn.end();
    expect(sent).toEqual([1]);
  });

  it('is sent in the next turn when it comes up while others are sent', async () => {
    const { turn, sent } = recorded();
    turn.add(() => turn.add(() => void sent.push(2)));
    turn.end();
    expect(sent).toEqual([]);
    await nextTurn();
    await nextTurn();
    expect(sent).toEqual([2]);
  });
});
