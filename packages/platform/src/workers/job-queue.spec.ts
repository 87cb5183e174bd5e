import { describe, expect, it } from '@jest/globals';
import { JobQueue } from './job-queue.js';

/** A queue whose jobs end when they are told to. */
function started(bounds: Partial<ConstructorParameters<typeof JobQueue>[0]> = {}) {
  const queue = new JobQueue({ mostAtOnce: 2, mostOfOne: 1, mostWaiting: 4, mostWaitingOfOne: 3, ...bounds });
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const add = (name: string) =>
    queue.add(name.charAt(0), () => {
      begun.push(name);
      return new Promise<void>((resolve, reject) => {
        ends.set(name, (error) => (error === undefined ? resolve() : reject(error)));
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await new Promise(setImmediate);
  };
  return { queue, begun, add, end };
}

describe('a queue of jobs', () => {
  it('runs some at once, of each owner in their order and of all owners in turn', async () => {
    const { begun, add, end } = started();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) expect(add(name)).toBe(true);
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
    await end('b1', new Error('failed'));
    await end('a2');
    await end('c1');
    expect(begun).toEqual(['a1', 'b1', 'a2', 'c1', 'a3']);
  });

  it('drops what is too much, of one owner and in all', async () => {
    const { queue, begun, add, end } = started();
    for (const name of ['a1', 'a2', 'a3', 'a4']) expect(add(name)).toBe(true);
    expect(add('a5')).toBe(false);
    expect([add('b1'), add('b2')]).toEqual([true, true]);
    expect(add('c1')).toBe(false);
    queue.clear();
    await end('a1');
    await end('b1');
    expect(begun).toEqual(['a1', 'b1']);
    expect(add('a6')).toBe(true);
    expect(begun).toContain('a6');
  });
});
