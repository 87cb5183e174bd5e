import { describe, expect, it } from '@jest/globals';
import { base62, derivedId, newId } from './ids.js';

describe('identifiers', () => {
  it('are 20 base62 characters and never a number', () => {
    const ids = new Set(Array.from({ length: 1000 }, newId));
    expect(ids.size).toBe(1000);
    for (const id of ids) expect(id).toMatch(/^(?!\d+$)[0-9A-Za-z]{20}$/);
  });

  it('are derived equally from equal parts only', () => {
    expect(derivedId('a', 'b')).toBe(derivedId('a', 'b'));
    expect(derivedId('a', 'b')).not.toBe(derivedId('ab', ''));
    expect(base62(Buffer.alloc(16), 3)).toBe('000');
  });
});
