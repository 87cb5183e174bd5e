import fc from 'fast-check';
import { memberRoles } from '@scriptorium/contracts';
import { type Grantee, type Level } from '../level.js';
import { type NodeAccessDocument } from '../node-access.projection.js';

/** What specs draw from: few users, teams and stays, so that they meet. */
export const users = ['ann', 'bob', 'cleo'] as const;
const teams = ['t1', 't2', 't3'] as const;
const memberships = ['first', 'second'] as const;

export const level = fc.constantFrom<Level>(null, ...memberRoles);
export const defaultLevel = fc.oneof({ weight: 2, arbitrary: fc.constant('inherit' as const) }, level);

export const grantee: fc.Arbitrary<Grantee> = fc.record({
  user: fc.constantFrom(...users),
  membership: fc.constantFrom(...memberships),
  role: level,
  teams: fc.subarray([...teams]),
});

const userGrants = fc.uniqueArray(
  fc.record({ user: fc.constantFrom(...users), membership: fc.constantFrom(...memberships), level }),
  { selector: ({ user }) => user, maxLength: 2 },
);
const teamGrants = fc.uniqueArray(fc.record({ team: fc.constantFrom(...teams), level }), {
  selector: ({ team }) => team,
  maxLength: 2,
});

export const grants = fc.record({ defaultLevel, users: userGrants, teams: teamGrants });

/** Documents from a node to the top. */
export const chain: fc.Arbitrary<NodeAccessDocument[]> = fc
  .array(grants, { minLength: 1, maxLength: 11 })
  .map((nodes) => nodes.map((node, i) => documentOf({ ...node, kind: i === 0 ? 'space' : 'collection' })));

export function documentOf(more: Partial<NodeAccessDocument> = {}): NodeAccessDocument {
  return {
    kind: 'space',
    organization: 'o',
    added: true,
    parent: null,
    order: 'a0',
    deletedAt: null,
    defaultLevel: 'inherit',
    users: [],
    teams: [],
    ...more,
  };
}

/** Where generated inputs begin, and how many there are. */
export const parameters = { seed: Number(process.env['SEED']), numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) };
