import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { Moment, Timestamp } from './common.js';

const fault = (given: unknown) => Moment.safeParse(given).error?.issues.map(({ message }) => message);

describe('a moment', () => {
  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00+01:00', '2025-12-31T23:00:00.000Z'],
    ['2026-01-01T00:00:00.1239-09:30', '2026-01-01T09:30:00.123Z'],
    ['2024-02-29T23:59:59+00:00', '2024-02-29T23:59:59.000Z'],
  ])('of %s is %s', (given, moment) => {
    expect(Timestamp.parse(Moment.parse(given))).toBe(moment);
    expect(Moment.parse(moment)).toBe(moment);
  });

  it.each(['2026-01-01', '2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00 01:00', 'yesterday'])(
    'is not %s, and the refusal says how it is written',
    (given) =>
      expect(fault(given)).toEqual([
        'Must be a time such as 2026-01-31T12:00:00Z or 2026-01-31T12:00:00+01:00, in a query with %2B in the place of +',
      ]),
  );

  it('has four digits for the year in UTC, too', () => {
    const message = ['Must be of the years 0000 to 9999 in UTC'];
    expect(['9999-12-31T23:59:59-01:00', '0000-01-01T00:00:00+01:00'].map(fault)).toEqual([message, message]);
  });

  it('is a `date-time` for clients', () => {
    expect(z.toJSONSchema(Moment)).toMatchObject({ type: 'string', format: 'date-time' });
  });
});
