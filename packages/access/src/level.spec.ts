import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { memberRoles } from '@scriptorium/contracts';
import { resolveLevel, type DefaultLevel, type Grantee, type Level, type NodeGrants } from './level.js';
import { chain as chains, grantee, parameters } from './test/arbitraries.js';
import { naiveLevel } from './test/oracle.js';
import { type NodeAccessDocument } from './node-access.projection.js';

const ann: Grantee = { user: 'ann', membership: 'm1', role: 'edit', teams: ['writers', 'readers'] };
const guest: Grantee = { ...ann, role: null };

interface Some {
  defaultLevel?: DefaultLevel;
  ann?: Level;
  teams?: Record<string, Level>;
}

/** A node of a chain; `ann` is the level that she is granted. */
function node({ defaultLevel = 'inherit', ann: own, teams = {} }: Some = {}): NodeGrants {
  const users = own === undefined ? [] : [['ann', { membership: 'm1', level: own }] as const];
  return { defaultLevel, users: new Map(users), teams: new Map(Object.entries(teams)) };
}

function grantsOf({ defaultLevel, users, teams }: NodeAccessDocument): NodeGrants {
  return {
    defaultLevel,
    users: new Map(users.map(({ user, ...grant }) => [user, grant])),
    teams: new Map(teams.map(({ team, level }) => [team, level])),
  };
}

describe('the level of a member', () => {
  it('is admin for admins of the organization, whatever is granted', () => {
    expect(resolveLevel({ ...ann, role: 'admin' }, [node({ ann: 'read' })])).toBe('admin');
  });

  it('is their own grant before any of a team, also when it is lower', () => {
    expect(resolveLevel(ann, [node({ ann: 'read', teams: { writers: 'create' } })])).toBe('read');
  });

  it('is the highest grant of their teams', () => {
    const teams = { writers: 'review', readers: 'read', others: 'admin' } as const;
    expect(resolveLevel(ann, [node({ teams })])).toBe('review');
    expect(resolveLevel(ann, [node({ teams: { writers: null, readers: 'read' } })])).toBe('read');
  });

  it('is nothing where a grant says so', () => {
    expect(resolveLevel(ann, [node({ ann: null }), node({ ann: 'admin' })])).toBeNull();
    expect(resolveLevel(ann, [node({ teams: { writers: null } }), node({ ann: 'admin' })])).toBeNull();
  });

  it('is the nearest grant of the parents before any default level', () => {
    const chain = [node({ defaultLevel: 'create' }), node({ teams: { writers: 'comment' } }), node({ ann: 'admin' })];
    expect(resolveLevel(ann, chain)).toBe('comment');
    expect(resolveLevel(guest, chain)).toBe('comment');
  });

  it('is the nearest default level that is not inherited, and no access is one', () => {
    expect(resolveLevel(ann, [node(), node({ defaultLevel: 'read' }), node({ defaultLevel: 'create' })])).toBe('read');
    expect(resolveLevel(ann, [node(), node({ defaultLevel: null }), node({ defaultLevel: 'create' })])).toBeNull();
  });

  it('is the role in the organization when nothing else says anything', () => {
    expect(resolveLevel(ann, [node(), node()])).toBe('edit');
  });

  it('is nothing for guests without a grant', () => {
    expect(resolveLevel(guest, [node({ defaultLevel: 'admin' }), node()])).toBeNull();
  });

  it('does not come from a grant of an earlier membership', () => {
    const again = { ...ann, membership: 'm2' };
    expect(resolveLevel(again, [node({ ann: 'admin' })])).toBe('edit');
    expect(resolveLevel(again, [node({ ann: 'admin', teams: { writers: 'read' } })])).toBe('read');
  });

  it('is what the rules come to one by one', () => {
    const seen = new Set<Level>();
    fc.assert(
      fc.property(grantee, chains, (member, chain) => {
        const expected = naiveLevel(member, chain);
        seen.add(expected);
        expect(resolveLevel(member, chain.map(grantsOf))).toBe(expected);
      }),
      { ...parameters, numRuns: 5 * parameters.numRuns },
    );
    expect(seen.size).toBe(memberRoles.length + 1);
  });
});
