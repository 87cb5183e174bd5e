import { describe, expect, it } from '@jest/globals';
import { spreadBefore } from './former-paths.queries.js';

describe('the revisions in which a former path is looked for', () => {
  it('are all before the newest ones, as long as there are few', () => {
    expect(spreadBefore(1, 100)).toEqual([]);
    expect(spreadBefore(4, 100)).toEqual([3, 2, 1]);
  });

  it.each([102, 250, 10_000])('have no gap of more than a hundredth of what is before number %i', (end) => {
    const numbers = spreadBefore(end, 100);
    expect(new Set(numbers).size).toBe(100);
    const gaps = [end, ...numbers].map((number, index) => number - (numbers[index] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(Math.ceil((end - 1) / 100) + 1);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(1);
  });
});
