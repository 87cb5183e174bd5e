import { describe, expect, it } from '@jest/globals';
import { MarkupBudget, withoutTags } from './markup.js';

const kib64 = 65_536;

describe('markup that is read', () => {
  it.each(['<b>', '<p>a\n\n', '<div><i>', '<B class="x">', '</b><b><b>'])(
    'is not 64 KiB of %j: more elements are open than anybody writes',
    (unit) => expect(new MarkupBudget(1_000_000).allows(unit.repeat(kib64 / unit.length))).toBe(false),
  );

  it('has as many tags as are left, in all texts together', () => {
    const budget = new MarkupBudget(1_000);
    const text = '<b>x</b>'.repeat(200);
    expect([1, 2, 3].map(() => budget.allows(text))).toEqual([true, true, false]);
    expect(budget.allows('<b>x</b>'.repeat(100))).toBe(true);
    expect(budget.allows('<br>')).toBe(false);
  });

  it('may have many elements that have no end', () => {
    expect(new MarkupBudget(1_000).allows('a<br>\n'.repeat(500))).toBe(true);
  });
});

describe('a text without its tags', () => {
  it('has its words', () => {
    expect(withoutTags('<p>It <b>fails</b></p>').trim().split(/\s+/)).toEqual(['It', 'fails']);
  });

  it('is that of 64 KiB of signs, each of which is looked at once', () => {
    expect(withoutTags('<'.repeat(kib64))).toHaveLength(kib64);
  });
});
