import { describe, expect, it } from '@jest/globals';
import { createKeyedQueue } from '../process/queues.js';
import { createWindow } from './window.js';

function gate(): { open: () => void; passed: Promise<void> } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}

describe('a window of work', () => {
  it('keeps the order within a key, not between keys, and tells what is done without a gap', async () => {
    const window = createWindow(10, 4);
    const [slow, order] = [gate(), [] as string[]];
    await window.add('a', 1n, async () => {
      await slow.passed;
      order.push('a1');
    });
    await window.add('a', 2n, () => Promise.resolve(void order.push('a2')));
    await window.add('b', 3n, () => Promise.resolve(void order.push('b3')));
    window.pass(4n);
    await window.behind('b', () => Promise.resolve());
    expect([order, window.done()]).toEqual([['b3'], -1n]);
    slow.open();
    await window.idle();
    expect([order, window.done()]).toEqual([['b3', 'a1', 'a2'], 4n]);
  });

  it('has room for so many and works on so many keys', async () => {
    const window = createWindow(2, 1);
    const first = gate();
    let running = 0;
    await window.add('a', 1n, () => first.passed);
    await window.add('b', 2n, () => Promise.resolve(void (running += 1)));
    let added = false;
    const third = window.add('c', 3n, () => Promise.resolve()).then(() => (added = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect([running, added]).toEqual([0, false]);
    first.open();
    await third;
    await window.idle();
    expect([running, window.done()]).toEqual([1, 3n]);
  });

  it('begins nothing after a failure and throws it', async () => {
    const window = createWindow(10, 2);
    let began = false;
    await window.add('a', 1n, () => Promise.reject(new Error('no')));
    await window.add('a', 2n, () => Promise.resolve(void (began = true)));
    await window.idle();
    await expect(window.add('b', 3n, () => Promise.resolve())).rejects.toThrow('no');
    expect([began, window.done()]).toEqual([false, -1n]);
  });
});

describe('a queue by key', () => {
  it('refuses more than its bound and goes on after failures', async () => {
    const queue = createKeyedQueue(2);
    const first = gate();
    const one = queue.run('k', () => first.passed);
    const two = queue.run('k', () => Promise.reject(new Error('second')));
    await expect(queue.run('k', () => Promise.resolve())).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(queue.run('other', () => Promise.resolve(1))).resolves.toBe(1);
    first.open();
    await one;
    await expect(two).rejects.toThrow('second');
    await expect(queue.run('k', () => Promise.resolve(3))).resolves.toBe(3);
  });
});
