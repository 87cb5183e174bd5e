import { describe, expect, it } from '@jest/globals';
import { SEED } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { offsetOfJsonError } from './json-error.js';

describe('the place of a mistake in JSON', () => {
  it.each([
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['[1 2]', 3],
    ['{"a":tru}', 5],
    ['{"a":"x\ny"}', 7],
    [String.raw`{"a":"\x"}`, 6],
    ['{} {}', 3],
    ['[1}', 2],
    ['{"a":-}', 5],
    ['{"a":[1,2', 9],
    ['{a:1}', 1],
  ])('is found: %s', (text, offset) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    expect(offsetOfJsonError(text)).toBe(offset);
  });

  it('is the end of a text that is cut off', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (value, at) => {
        const text = `{"a":[${value}]}`;
        const cut = text.slice(0, at % text.length);
        const offset = offsetOfJsonError(cut);
        // A word that is cut off is wrong from its start.
        expect(cut.slice(offset)).toMatch(/^[\w.+\\-]{0,40}$/);
      }),
      { seed: SEED },
    );
  });

  it('is never in front of what can be read', () => {
    fc.assert(
      fc.property(fc.json(), fc.string(), (value, junk) => {
        const text = `[${value},${junk}`;
        expect(offsetOfJsonError(text)).toBeGreaterThanOrEqual(value.length + 1);
      }),
      { seed: SEED },
    );
  });
});
