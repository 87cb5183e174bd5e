import { describe, expect, it } from '@jest/globals';
import { momentOf } from './moment.js';

describe('the moment of --since', () => {
  const now = Date.parse('2026-11-28T12:00:00Z');
  it.each([
    ['30d', '2026-10-29T12:00:00.000Z'],
    ['12h', '2026-11-28T00:00:00.000Z'],
    ['1w', '2026-11-21T12:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2026-11-01T10:00:00+02:00', '2026-11-01T08:00:00.000Z'],
  ])('of %s is %s', (since, moment) => expect(momentOf(since, now)).toBe(moment));

  it.each(['', '30', 'd', '-3d', '30m', 'yesterday', '2026-13-01', '2026-11-01Tx'])('is refused for %j', (since) =>
    expect(() => momentOf(since, now)).toThrow('--since must be like 30d'),
  );
});
