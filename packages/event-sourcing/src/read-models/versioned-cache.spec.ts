import { describe, expect, it } from '@jest/globals';
import { createDependentCache, createVersionedCache } from './versioned-cache.js';
import { systemClock } from '../process/time.js';

describe('a versioned cache', () => {
  it('counts keys among its bytes', async () => {
    const cache = createVersionedCache<{ text: string }>(
      { max: 100, size: { of: ({ text }) => text.length, max: 10_000 } },
      systemClock,
    );
    let made = 0;
    const make = (): Promise<{ text: string }> => {
      made += 1;
      return Promise.resolve({ text: 'x' });
    };
    // Cursors are long, and anybody can send others.
    const key = (n: number): string => `${n}:${'k'.repeat(2000)}`;
    for (let n = 0; n < 10; n += 1) await cache.get(key(n), () => 'v', make);
    await cache.get(key(9), () => 'v', make);
    expect(made).toBe(10);
    await cache.get(key(0), () => 'v', make);
    expect(made).toBe(11);
  });

  it('does not keep a value that is larger than the bound, counted with its key', async () => {
    const cache = createVersionedCache<{ text: string }>(
      { max: 100, size: { of: ({ text }) => text.length, max: 100 } },
      systemClock,
    );
    let made = 0;
    const make = (): Promise<{ text: string }> => Promise.resolve({ text: `${(made += 1)}` });
    await cache.get('k'.repeat(200), () => 'v', make);
    await expect(cache.get('k'.repeat(200), () => 'v', make)).resolves.toEqual({ text: '2' });
  });

  it('makes a value again for a later caller when the first one has been in the making for 5 s', async () => {
    let now = 0;
    const cache = createVersionedCache<{ text: string }>({ max: 100 }, { now: () => now, monotonic: () => now });
    const asked: ((made: { text: string }) => void)[] = [];
    const make = (): Promise<{ text: string }> => new Promise((resolve) => asked.push(resolve));
    const get = () => cache.get('k', () => 'v', make);
    const first = get();
    now = 4_999;
    const shared = get();
    expect(asked).toHaveLength(1);
    now = 5_000;
    const second = get();
    expect(asked).toHaveLength(2);
    asked[1]?.({ text: 'second' });
    await expect(second).resolves.toEqual({ text: 'second' });
    asked[0]?.({ text: 'first' });
    await expect(Promise.all([first, shared])).resolves.toEqual([{ text: 'first' }, { text: 'first' }]);
    await expect(get()).resolves.toEqual({ text: 'second' });
  });
});

describe('a cache of what is made from something else', () => {
  const versions = new Map([
    ['teams', 1],
    ['users', 1],
  ]);
  const cacheOf = () =>
    createDependentCache<string, { text: string }>(
      { max: 100 },
      {
        all: [...versions.keys()],
        versionOf: (names) => names.map((name) => `${versions.get(name) ?? 0};`).join(''),
        clock: systemClock,
      },
    );
  const making = (...from: string[]) => {
    let made = 0;
    return (note: (name: string) => void): Promise<{ text: string }> => {
      for (const name of from) note(name);
      return Promise.resolve({ text: `${(made += 1)}` });
    };
  };

  it('keeps a value while no noted dependency changes, whatever else does', async () => {
    const cache = cacheOf();
    const make = making('teams');
    await cache.get('k', make);
    versions.set('users', 2);
    await expect(cache.get('k', make)).resolves.toEqual({ text: '1' });
    versions.set('teams', 2);
    await expect(cache.get('k', make)).resolves.toEqual({ text: '2' });
  });

  it('does not keep what changed while the value was made', async () => {
    const cache = cacheOf();
    let made = 0;
    const make = (note: (name: string) => void): Promise<{ text: string }> => {
      note('teams');
      made += 1;
      versions.set('teams', 10 + made);
      return Promise.resolve({ text: String(made) });
    };
    await cache.get('k', make);
    await expect(cache.get('k', make)).resolves.toEqual({ text: '2' });
  });
});
