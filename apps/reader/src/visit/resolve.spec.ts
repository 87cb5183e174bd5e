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
