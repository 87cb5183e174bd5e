import { describe, expect, it } from '@jest/globals';
import { unlessKnown } from './encode.js';

describe('the bytes of a large answer', () => {
  const answer = (fill: string, bytes = 2_000) => ({ body: Buffer.alloc(bytes, fill), headers: { etag: 'e' } });
  const digestOf = (fill: string) => unlessKnown(answer(fill), undefined).headers?.['digest'] ?? '';

  it('are told by their digest', () => {
    const { body, headers } = unlessKnown(answer('a'), undefined);
    expect([body.length, headers]).toEqual([2_000, { etag: 'e', digest: expect.stringMatching(/^[\w-]{22}$/) }]);
    expect(digestOf('b')).not.toBe(digestOf('a'));
  });

  it('are left out for who has the same, and only then', () => {
    const digest = digestOf('a');
    expect(unlessKnown(answer('a'), digest)).toEqual({ body: new Uint8Array(), headers: { etag: 'e', digest } });
    expect(unlessKnown(answer('b'), digest).body).toHaveLength(2_000);
  });

  it('are not compared when they are few', () => {
    const small = answer('a', 1_023);
    expect(unlessKnown(small, digestOf('a'))).toBe(small);
  });
});
