import { describe, expect, it } from '@jest/globals';
import { placeOfError } from './body.js';

describe('the place where a text stops to be JSON', () => {
  it.each([
    ['', 'it ends too early, at line 1, column 1'],
    ['{"a":1', 'it ends too early, at line 1, column 7'],
    ['{"a":"b', 'it ends too early, at line 1, column 8'],
    ['[1,', 'it ends too early, at line 1, column 4'],
    ['{"a":1,}', 'line 1, column 8 cannot be read'],
    ['{"a" 1}', 'line 1, column 6 cannot be read'],
    ['{a:1}', 'line 1, column 2 cannot be read'],
    ["{'a':1}", 'line 1, column 2 cannot be read'],
    ['{\n  "a": [1, 2,\n  x]\n}', 'line 3, column 3 cannot be read'],
    ['{"a":1} {', 'line 1, column 9 cannot be read'],
    ['[01]', 'line 1, column 3 cannot be read'],
    ['[1.]', 'line 1, column 3 cannot be read'],
    ['["a\nb"]', 'line 1, column 4 cannot be read'],
    ['["\\x"]', 'line 1, column 3 cannot be read'],
    ['["\\u12g4"]', 'line 1, column 3 cannot be read'],
    ['[tru]', 'line 1, column 2 cannot be read'],
    ['[undefined]', 'line 1, column 2 cannot be read'],
    ['titel=Typo', 'line 1, column 1 cannot be read'],
  ])('%j: %s', (text, place) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    expect(placeOfError(text)).toBe(place);
  });

  it('is behind everything that is JSON', () => {
    const values = [
      '{}',
      '[]',
      ' { "a" : [ 1 , -0.5e+3 , true , null , "\\u00e4\\n" ] } ',
      '"x"',
      '7',
      '{"a":{"b":[[{}]]}}',
    ];
    for (const text of values) {
      expect(() => JSON.parse(text) as unknown).not.toThrow();
      expect(placeOfError(`${text}x`)).toBe(`line 1, column ${text.length + 1} cannot be read`);
    }
  });

  it('is found in a long text without a stack of its length', () => {
    const text = `["${'a\\n'.repeat(1_000_000)}",${'1,'.repeat(1_000_000)}]`;
    expect(placeOfError(text)).toBe(`line 1, column ${text.length} cannot be read`);
  });
});
