import { describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { shorten } from './shorten.js';

const schema = z.strictObject({
  items: z.array(z.strictObject({ id: z.string(), note: z.string().optional(), text: z.string().optional() })),
});
const isValid = (example: unknown): boolean => schema.safeParse(example).success;
const long = { items: [{ id: 'a', note: 'n', text: 'x'.repeat(50) }] };

describe('a shorter example', () => {
  it('is without the longest of the properties that may be left out', () => {
    expect(shorten(long, { longest: 40 }, isValid)).toEqual({ items: [{ id: 'a', note: 'n' }] });
    expect(shorten(long, { longest: 30 }, isValid)).toEqual({ items: [{ id: 'a' }] });
  });

  it('is the same if it is short enough, and there is none if too much of it is needed', () => {
    expect(shorten(long, { longest: 500 }, isValid)).toBe(long);
    expect(shorten(long, { longest: 10 }, isValid)).toBeUndefined();
    expect(shorten(long, { longest: 10, longestAtAll: 30 }, isValid)).toEqual({ items: [{ id: 'a' }] });
  });

  it('has references instead of resources within it, where a property must stand', () => {
    const given = { owner: { object: 'user', id: 'u', displayName: 'A name of twenty letters' } };
    expect(shorten(given, { longest: 50 }, (example) => 'owner' in (example as object))).toEqual({
      owner: { object: 'user', id: 'u' },
    });
  });
});
