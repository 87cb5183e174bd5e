import { describe, expect, it } from '@jest/globals';
import type { PublishedContent } from '@scriptorium/contracts';
import { createResolver } from './resolve.js';
import type { Visitor } from './visitor.js';

const content = { site: 's', siteBasePath: '/~site/s/', basePath: '/~site/s/' } as PublishedContent;

/** A resolver of an API that lets everybody in, each with a token of their own. */
function resolver() {
  let issued = 0;
  return createResolver({
    post: <T>() => Promise.resolve({ body: { ...content, apiToken: `t${(issued += 1)}` } as T, freshMs: 60_000 }),
  });
}

const visitor = (query: string, token?: string): Visitor => ({
  address: new URL(`https://app.example/~site/s/page${query}`),
  token,
  from: '10.0.0.1',
  signal: AbortSignal.timeout(5_000),
});
const long = 'x'.repeat(3_000);

describe('what the reader knows of visitors', () => {
  it('is used for the same visitor alone, however long their address is', async () => {
    const known = resolver();
    const inside = visitor(`?preview=p&visitor.a=${long}`);
    await known.resolve(inside);
    expect(known.enteredAt(inside)).toBeDefined();
    for (const other of [
      visitor(''),
      visitor('?preview=p'),
      visitor(`?preview=p&visitor.a=${long}y`),
      visitor(`?preview=p&visitor.a=${long}`, 'a.b.c'),
    ])
      expect(known.enteredAt(other)).toBeUndefined();
  });

  it('is forgotten when the token is refused', async () => {
    const known = resolver();
    const { address } = visitor('');
    await known.resolve(visitor(''));
    expect(known.enteredAt({ ...visitor(''), address: new URL('other', address) })).toBeDefined();
    known.forget(visitor(''));
    expect(known.enteredAt(visitor(''))).toBeUndefined();
  });
});

describe('what the reader knows of an address', () => {
  const asking = (body: object) => {
    let [asked, now] = [0, 0];
    const known = createResolver(
      {
        post: <T>() => {
          asked += 1;
          return Promise.resolve({ body: body as T, freshMs: 60_000 });
        },
      },
      () => now,
    );
    return {
      /** How often the API is asked for these: after so many milliseconds, an answer that is at most so old. */
      async count(...times: [after: number, maxAgeMs?: number][]): Promise<number> {
        for (const [after, maxAgeMs] of times) {
          now += after;
          await known.resolve(visitor(''), maxAgeMs);
        }
        return asked;
      },
    };
  };

  it('is asked again two seconds after it led elsewhere', async () => {
    const to = { target: 'content', redirect: 'https://app.example/~site/s/other' };
    expect(await asking(to).count([0], [1_900])).toBe(1);
    expect(await asking(to).count([0], [2_000])).toBe(2);
  });

  it('is kept for as long as the answer says, and asked again sooner by whoever finds no page there', async () => {
    const found = { ...content, apiToken: 't' };
    expect(await asking(found).count([0], [59_000])).toBe(1);
    expect(await asking(found).count([0], [1_000, 2_000])).toBe(1);
    expect(await asking(found).count([0], [2_000, 2_000], [59_000])).toBe(2);
    expect(await asking(found).count([0], [60_000])).toBe(2);
  });
});
