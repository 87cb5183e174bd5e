import { describe, expect, it } from '@jest/globals';
import { median, percentile } from './statistics.js';

describe('median', () => {
  it('is the value in the middle, whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});

describe('percentile', () => {
  it('is the least value that so many do not exceed', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(values, 0.99)).toBe(99);
    expect(percentile(values, 1)).toBe(100);
    expect(percentile([7], 0.5)).toBe(7);
  });

  it('is no number of nothing', () => {
    expect(percentile([], 0.99)).toBeNaN();
  });
});
