import { describe, expect, it } from '@jest/globals';
import { unsignedClaims } from './unsigned-claims.js';

const read = (query: string, given = {}) => unsignedClaims(new URLSearchParams(query), given);

describe('claims of an address', () => {
  it('are truth values, numbers, JSON or texts, and stand one within another by dots', () => {
    expect(
      read('visitor.a=true&visitor.b=1.5&visitor.c=null&visitor.d=%5B1%5D&visitor.e=x%20y&visitor.f.g=no&h=1'),
    ).toEqual({ a: true, b: 1.5, c: null, d: [1], e: 'x y', f: { g: 'no' } });
    expect(read('visitor.a.b=1&visitor.a.c=2', { a: { b: 0, d: 3 }, e: 4 })).toEqual({ a: { b: 1, c: 2, d: 3 }, e: 4 });
    expect(read('visitor.a=1&visitor.a.b=2')).toEqual({ a: { b: 2 } });
  });

  it('are left out with names that objects have a meaning for, and when they are too deep or too many', () => {
    for (const name of ['__proto__.x', 'constructor.prototype.x', 'a..b', '', 'a.b.c.d.e.f'])
      expect(read(`visitor.${name}=1`)).toEqual({});
    expect(({} as { x?: unknown }).x).toBeUndefined();
    const many = Array.from({ length: 100 }, (_, index) => `visitor.n${index}=1`).join('&');
    expect(Object.keys(read(many))).toHaveLength(50);
  });
});
