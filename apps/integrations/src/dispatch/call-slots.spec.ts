import { describe, expect, it } from '@jest/globals';
import { CallSlots } from './call-slots.js';

describe('calls of scripts', () => {
  it('are bounded, for one integration and for all', () => {
    const slots = new CallSlots({ mostAtOnce: 3, mostOfOne: 2, now: () => 0 });
    const leave = slots.enter('a');
    slots.enter('a');
    expect(() => slots.enter('a')).toThrow('Too many scripts are under way');
    slots.enter('b');
    expect(() => slots.enter('c')).toThrow('Too many scripts are under way');
    leave();
    slots.enter('a');
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
