import { describe, expect, it } from '@jest/globals';
import { createCompressedCache } from './compression.js';

describe('large answers', () => {
  const counted = () => {
    const asked: number[] = [];
    const compressed = createCompressedCache(async (body) => {
      asked.push(body.length);
      return Promise.resolve(Buffer.from(`${asked.length}`));
    });
    return { asked, compressed };
  };
  const large = (fill: string) => Buffer.alloc(100_000, fill);

  it('are compressed once for all who are shown the same bytes', async () => {
    const { asked, compressed } = counted();
    const first = await compressed(large('a'), 'listPages tag');
    expect(await compressed(large('a'), 'listPages tag')).toBe(first);
    expect(asked).toHaveLength(1);
  });

  it('are compressed again when a byte differs, also under the same name', async () => {
    const { asked, compressed } = counted();
    const [a, b] = [await compressed(large('a'), 'one'), await compressed(large('b'), 'one')];
    expect([a.toString(), b.toString(), asked.length]).toEqual(['1', '2', 2]);
  });

  it('are not cached without a name or when they are small', async () => {
    const { asked, compressed } = counted();
    for (const _ of [1, 2]) {
      await compressed(large('a'), undefined);
      await compressed(Buffer.from('small'), 'one');
    }
    expect(asked).toHaveLength(4);
  });
});
