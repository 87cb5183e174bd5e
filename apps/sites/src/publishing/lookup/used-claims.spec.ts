import { describe, expect, it } from '@jest/globals';
import type { Claims } from '@scriptorium/expressions';
import { claimsUsedBy, pickClaims } from './used-claims.js';

const picked = (claims: Claims, ...expressions: string[]) => pickClaims(claims, claimsUsedBy(expressions));

describe('the claims that expressions use', () => {
  it('are those that they read, with what is below them', () => {
    const claims = { plan: 'paid', name: 'Ann', team: { id: 7, size: 2 }, unsigned: { beta: true, other: 1 } };
    const values = (...expressions: string[]) => picked(claims, ...expressions).map(([, value]) => value);
    expect(values('visitor.claims.plan == "paid"', 'visitor.claims.plan != "free"')).toEqual(['paid']);
    expect(values('visitor.claims.team.id > 3')).toEqual([7]);
    expect(values('visitor.claims.team')).toEqual([claims.team]);
    expect(values('visitor.claims.unsigned.beta')).toEqual([true]);
    expect(values('visitor.claims.plan.length > 2')).toEqual(['paid']);
    expect(values('visitor.claims.none', 'space.vars.plan', 'visitor.type == "agent"', 'no expression (')).toEqual([]);
  });

  it('are all where they are read as a whole, or by a name that is not fixed', () => {
    const claims = { a: 1, b: 2 };
    for (const source of ['visitor.claims', 'visitor.claims[space.vars.name]', 'visitor'])
      expect([source, picked(claims, source).length]).toEqual([source, 2]);
  });

  it('have the same order whichever expression comes first', () => {
    const claims = { a: 1, b: 2 };
    expect(picked(claims, 'visitor.claims.b', 'visitor.claims.a')).toEqual(
      picked(claims, 'visitor.claims.a', 'visitor.claims.b'),
    );
  });
});
