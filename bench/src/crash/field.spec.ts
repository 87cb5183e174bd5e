import { describe, expect, it } from '@jest/globals';
import { Field } from './field.js';

describe('what a field may hold', () => {
  it('is what was acknowledged last', () => {
    const field = new Field('a');
    field.settle('b');
    expect([field.allows('a'), field.allows('b'), field.certain]).toEqual([false, true, { value: 'b' }]);
  });

  it('is that or a later value of unknown outcome, until the next acknowledgement', () => {
    const field = new Field('a');
    field.doubt('b');
    expect([field.allows('a'), field.allows('b'), field.certain]).toEqual([true, true, undefined]);
    field.settle('c');
    expect([field.allows('a'), field.allows('b'), field.allows('c')]).toEqual([false, false, true]);
  });
});
