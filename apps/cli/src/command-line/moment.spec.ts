import { describe, expect, it } from '@jest/globals';
import { momentOf } from './moment.js';

const now = Date.parse('2026-11-28T12:00:00Z');

describe('the moment of an option', () => {
  const back = (text: string) => momentOf({ option: '--since', text, now, direction: 'back' });

  it.each([
    ['30d', '2026-10-29T12:00:00.000Z'],
    ['12h', '2026-11-28T00:00:00.000Z'],
    ['1w', '2026-11-21T12:00:00.000Z'],
    ['2026-11-01', '2026-11-01T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2026-11-01T10:00:00+02:00', '2026-11-01T08:00:00.000Z'],
  ])('of %s is %s', (since, moment) => expect(back(since)).toBe(moment));

  it.each(['', '30', 'd', '-3d', '30m', 'yesterday', '2026-13-01', '2026-11-01Tx', '2026-02-30', '2026-02-29T10:00Z'])(
    'is refused for %j',
    (since) => expect(() => back(since)).toThrow('--since must be like 30d'),
  );

  it('may be ahead', () => {
    expect(momentOf({ option: '--expires', text: '1w', now, direction: 'ahead' })).toBe('2026-12-05T12:00:00.000Z');
  });
});
