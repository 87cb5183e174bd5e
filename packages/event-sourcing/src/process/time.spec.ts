import { describe, expect, it, jest } from '@jest/globals';
import { untilBeat } from './time.js';

describe('beats of a process', () => {
  it('are the same moments for all who ask, and never sooner than half the time', () => {
    const clock = jest.spyOn(performance, 'now');
    const at = (now: number) => {
      clock.mockReturnValue(now);
      return now + untilBeat(500);
    };
    expect([1_000, 1_001, 1_249].map(at)).toEqual([1_500, 1_500, 1_500]);
    // A timer may fire a little early, and what is done at a beat takes its time.
    expect([1_499.4, 1_300].map(at)).toEqual([2_000, 2_000]);
    clock.mockRestore();
  });
});
