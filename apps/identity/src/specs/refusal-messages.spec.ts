import { describe, expect, it } from '@jest/globals';
import { emptyKeyed, keyedPut } from '@scriptorium/event-sourcing';
import { changeRole, removeMember } from '../organizations/roster/memberships.js';
import type { Roster, RosterMember } from '../organizations/roster/roster.js';
import { rename } from '../teams/team.js';

const member: RosterMember = {
  role: 'read',
  disabled: false,
  sso: false,
  identities: {},
  ownProviders: [],
  accepted: true,
  membership: 'm',
};
const roster: Roster = {
  status: 'open',
  organization: 'o',
  members: keyedPut(emptyKeyed, 'bob', member),
  identities: emptyKeyed,
  formerIdentities: [],
  admins: ['ann'],
};

/** Whoever loses a level between the check of a request and its decision. */
describe('a refused decision says which level is missing, and on what', () => {
  it('to change or remove a member', () => {
    const message = 'You must have the level `admin` on the organization';
    expect(() => changeRole(roster, { user: 'bob', role: 'edit', by: 'cleo' })).toThrow(message);
    expect(() => removeMember(roster, { user: 'bob', by: 'cleo' })).toThrow(message);
  });

  it('to change a team', () => {
    const team = { status: 'active', organization: 'o', title: 'A', members: emptyKeyed } as const;
    expect(() => rename(team, { title: 'B', by: { user: 'cleo', admin: false } })).toThrow(
      'You must own the team or have the level `admin` on the organization',
    );
  });
});
