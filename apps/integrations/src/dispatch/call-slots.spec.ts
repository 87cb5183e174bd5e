import { describe, expect, it } from '@jest/globals';
import { CallSlots, type CallOf } from './call-slots.js';

/** A call of an integration of its own organization. */
const of = (name: string): CallOf => ({ integration: name, organization: name });

describe('calls of scripts', () => {
  it('are bounded, for one integration and for all', () => {
    const slots = new CallSlots({ mostAtOnce: 3, mostOfOne: 2, now: () => 0 });
    const leave = slots.enter(of('a'));
    slots.enter(of('a'));
    expect(() => slots.enter(of('a'))).toThrow('Too many scripts are under way');
    slots.enter(of('b'));
    expect(() => slots.enter(of('c'))).toThrow('Too many scripts are under way');
    leave();
    slots.enter(of('a'));
  });

  it.each([
    ['an organization with many integrations', (n: number) => ({ integration: `i${n}`, organization: 'a' })],
    ['an integration that many have installed', (n: number) => ({ integration: 'a', organization: `o${n}` })],
  ])('leave room for others beside %s', (_, one) => {
    const slots = new CallSlots({ mostAtOnce: 64, mostOfOne: 64, now: () => 0 });
    const begun = (of: (n: number) => CallOf) => {
      for (let n = 0; ; n += 1)
        try {
          slots.enter(of(n));
        } catch {
          return n;
        }
    };
    expect(begun(one)).toBe(33);
    expect(begun((n) => ({ integration: `j${n}`, organization: 'b' }))).toBe(16);
    expect(begun((n) => ({ integration: 'k', organization: `c${n}` }))).toBe(8);
    const leave = slots.enter(of('d'));
    leave();
    slots.enter(of('d'));
  });

  it('are recorded up to 20 times a minute when they fail, for each integration', () => {
    let now = 100_000;
    const slots = new CallSlots({ mostAtOnce: 1, mostOfOne: 1, now: () => now });
    const recorded = (name: string) => Array.from({ length: 30 }, () => slots.mayRecord(name)).filter(Boolean).length;
    expect([recorded('a'), recorded('b'), recorded('a')]).toEqual([20, 20, 0]);
    now += 60_000;
    expect(recorded('a')).toBe(20);
  });
});
