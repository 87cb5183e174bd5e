import { describe, expect, it } from '@jest/globals';
import { redelivered } from '@scriptorium/event-sourcing/testing';
import { knownTeams } from './known-team.projection.js';
import { memberships } from './membership.projection.js';
import { nodeAccess } from './node-access.projection.js';
import { organizationFacts } from './organization-fact.projection.js';
import { teamSeats } from './team-seat.projection.js';

const meta = { organization: 'o', time: '2026-01-02T03:04:05.006Z' };
const of = (entityId: string) => (type: string, data: object) => ({ type, data, entityId, meta });
const roster = of('o');
const joined = roster('MemberJoined', { user: 'ann', membership: 'm1', role: 'read', via: 'invite', kind: 'person' });
const left = roster('MemberRemoved', { user: 'ann', membership: 'm1' });

// Each history is folded with every beginning of it delivered twice: redelivery must change nothing.
describe('memberships', () => {
  it('contain the facts about a member that access depends on', () => {
    const history = [
      joined,
      roster('MemberRoleChanged', { user: 'ann', role: null }),
      roster('MemberIdentityLinked', { user: 'ann', provider: 'idp', identity: 'h1' }),
      roster('MemberIdentityLinked', { user: 'ann', provider: 'idp', identity: 'h2' }),
      roster('MemberDisabled', { user: 'ann' }),
    ];
    const member = {
      organization: 'o',
      user: 'ann',
      membership: 'm1',
      role: null,
      kind: 'person',
      providers: ['idp'],
      disabled: true,
    };
    expect(redelivered(memberships, history).get('o:ann')).toEqual(member);
    expect(redelivered(memberships, [...history, roster('MemberEnabled', { user: 'ann' })]).get('o:ann')).toEqual({
      ...member,
      disabled: false,
    });
    expect(redelivered(memberships, [...history, left]).size).toBe(0);
  });

  it('count an account as that of a person until it is recorded as a service account', () => {
    const old = roster('MemberJoined', { user: 'bot', membership: 'm1', role: 'edit', via: 'invite' });
    const kind = (membership: string) =>
      roster('MemberAccountKindRecorded', { user: 'bot', membership, kind: 'service' });
    expect(redelivered(memberships, [old]).get('o:bot')).toMatchObject({ kind: 'person' });
    expect(redelivered(memberships, [old, kind('m1')]).get('o:bot')).toMatchObject({ kind: 'service' });
    expect(redelivered(memberships, [old, kind('earlier')]).get('o:bot')).toMatchObject({ kind: 'person' });
    expect(redelivered(memberships, [kind('m1')]).size).toBe(0);
  });

  it('end with the roster and with the erasure of the person', () => {
    expect(redelivered(memberships, [joined, roster('RosterClosed', {})]).size).toBe(0);
    expect(redelivered(memberships, [joined, of('ann')('UserErased', { user: 'ann' })]).size).toBe(0);
    expect(redelivered(memberships, [joined, of('bob')('UserErased', { user: 'bob' })]).size).toBe(1);
  });
});

describe('known teams', () => {
  it('are the teams that exist', () => {
    const made = of('t')('TeamCreated', { organization: 'o', title: 'Writers' });
    expect(redelivered(knownTeams, [made]).get('t')).toEqual({ organization: 'o' });
    expect(redelivered(knownTeams, [made, of('t')('TeamDeleted', {})]).size).toBe(0);
  });
});

describe('team seats', () => {
  const seat = of('t1')('TeamMemberAdded', { user: 'ann', membership: 'm1', role: 'member' });

  it('end when the member leaves the team or the organization, and when either is deleted', () => {
    expect(redelivered(teamSeats, [seat]).get('t1:ann')).toEqual({
      organization: 'o',
      team: 't1',
      user: 'ann',
      membership: 'm1',
    });
    const ends = [of('t1')('TeamMemberRemoved', { user: 'ann', membership: 'm1' }), of('t1')('TeamDeleted', {}), left];
    for (const end of [...ends, roster('RosterClosed', {})]) expect(redelivered(teamSeats, [seat, end]).size).toBe(0);
    expect(redelivered(teamSeats, [seat, of('t2')('TeamDeleted', {})]).size).toBe(1);
  });
});

describe('the facts of an organization', () => {
  const organization = of('o');
  const created = organization('OrganizationCreated', {
    title: 'Acme',
    hostname: 'acme',
    emailDomains: [],
    createdBy: 'ann',
  });
  const settings = {
    label: 'IdP',
    ssoURL: 'https://idp.example/sso',
    entityID: 'idp',
    certificate: 'pem',
    certificateValid: true,
    defaultTeam: null,
    defaultRole: null,
  };
  const fresh = {
    deleted: false,
    enforced: false,
    activeProviders: [],
    hostname: 'acme',
    defaultRole: null,
    ai: true,
    mergeRules: [],
  };

  it('begin with default settings and follow their changes', () => {
    expect(redelivered(organizationFacts, [created]).get('o')).toEqual(fresh);
    const rules = [{ rule: 'require_at_least_one_review' }];
    const changed = redelivered(organizationFacts, [
      created,
      organization('OrganizationHostnameChanged', { hostname: 'acme-docs' }),
      organization('OrganizationDefaultRoleChanged', { role: 'read' }),
      organization('OrganizationAIDisabled', {}),
      organization('OrganizationMergeRulesChanged', { rules }),
    ]);
    expect(changed.get('o')).toEqual({
      ...fresh,
      hostname: 'acme-docs',
      defaultRole: 'read',
      ai: false,
      mergeRules: rules,
    });
    expect(
      redelivered(organizationFacts, [
        created,
        organization('OrganizationAIDisabled', {}),
        organization('OrganizationAIEnabled', {}),
      ]).get('o'),
    ).toEqual(fresh);
  });

  it('contain the active providers and the enforcement of single sign-on', () => {
    const configured = (type: string, provider: string, more: object = {}) =>
      organization(type, { provider, settings: { ...settings, ...more } });
    const history = [
      created,
      configured('SAMLProviderCreated', 'p1'),
      configured('SAMLProviderCreated', 'p2', { certificate: null }),
      organization('OrganizationSSOEnforcementEnabled', {}),
    ];
    expect(redelivered(organizationFacts, history).get('o')).toMatchObject({ enforced: true, activeProviders: ['p1'] });
    const later = [
      ...history,
      configured('SAMLProviderConfigured', 'p2'),
      configured('SAMLProviderConfigured', 'p1', { certificateValid: false }),
      organization('OrganizationSSOEnforcementDisabled', {}),
    ];
    expect(redelivered(organizationFacts, later).get('o')).toMatchObject({ enforced: false, activeProviders: ['p2'] });
    const none = [...later, organization('SAMLProviderDeleted', { provider: 'p2' })];
    expect(redelivered(organizationFacts, none).get('o')).toMatchObject({ activeProviders: [] });
  });

  it('contain nothing but the deletion after the organization was deleted', () => {
    const gone = redelivered(organizationFacts, [
      created,
      organization('OrganizationSSOEnforcementEnabled', {}),
      organization('OrganizationDeleted', {}),
      organization('OrganizationSSOEnforcementEnabled', {}),
    ]);
    expect(gone.get('o')).toEqual({ ...fresh, hostname: '', deleted: true });
  });
});

describe('access to spaces and collections', () => {
  const library = of('o');
  const space = of('s1');
  const created = space('SpaceCreated', {
    organization: 'o',
    title: 'Guide',
    emoji: null,
    language: null,
    editMode: 'locked',
  });
  const creator = space('SpaceUserGrantGiven', { user: 'ann', membership: 'm1', level: 'admin' });
  const added = library('SpaceAdded', { space: 's1', parent: 'c1', order: 'a0' });
  const node = {
    kind: 'space',
    organization: 'o',
    added: true,
    parent: 'c1',
    order: 'a0',
    deletedAt: null,
    defaultLevel: 'inherit',
    users: [{ user: 'ann', membership: 'm1', level: 'admin' }],
    teams: [],
  };

  it('begins when the library contains the space', () => {
    expect(redelivered(nodeAccess, [created, creator]).get('s1')).toEqual({
      ...node,
      added: false,
      parent: null,
      order: '',
    });
    expect(redelivered(nodeAccess, [created, creator, added]).get('s1')).toEqual(node);
  });

  it('follows grants and the default level', () => {
    const history = [
      created,
      creator,
      added,
      space('SpaceUserGrantGiven', { user: 'bob', membership: 'm2', level: null }),
      space('SpaceUserGrantGiven', { user: 'ann', membership: 'm1', level: 'read' }),
      space('SpaceTeamGrantGiven', { team: 't1', level: 'edit' }),
      space('SpaceTeamGrantGiven', { team: 't1', level: 'review' }),
      space('SpaceTeamGrantGiven', { team: 't2', level: 'read' }),
      space('SpaceTeamGrantRemoved', { team: 't2' }),
      space('SpaceUserGrantRemoved', { user: 'bob' }),
      space('SpaceDefaultLevelChanged', { level: null }),
    ];
    expect(redelivered(nodeAccess, history).get('s1')).toEqual({
      ...node,
      defaultLevel: null,
      users: [{ user: 'ann', membership: 'm1', level: 'read' }],
      teams: [{ team: 't1', level: 'review' }],
    });
  });

  it('follows the parent of a space and its deletion', () => {
    const moved = [created, creator, added, library('SpaceMoved', { space: 's1', parent: null, order: 'a1' })];
    expect(redelivered(nodeAccess, moved).get('s1')).toEqual({ ...node, parent: null, order: 'a1' });
    const deleted = [...moved, library('SpaceDeleted', { space: 's1' })];
    expect(redelivered(nodeAccess, deleted).get('s1')).toMatchObject({ deletedAt: meta.time, users: node.users });
    const restored = [...deleted, library('SpaceRestored', { space: 's1', parent: 'c1', order: 'a2' })];
    expect(redelivered(nodeAccess, restored).get('s1')).toEqual({ ...node, order: 'a2' });
  });

  it('ends when a purge begins, so that a later rebuild has the same result', () => {
    const purging = [
      created,
      creator,
      added,
      library('SpaceDeleted', { space: 's1' }),
      library('SpacePurgeBegan', { space: 's1' }),
    ];
    expect(redelivered(nodeAccess, purging).size).toBe(0);
    const late = space('SpaceUserGrantRemoved', { user: 'ann' });
    expect(redelivered(nodeAccess, [...purging, late, library('SpacePurged', { space: 's1' })]).size).toBe(0);
    // The space's own stream is gone by then.
    expect(
      redelivered(nodeAccess, [
        added,
        library('SpaceDeleted', { space: 's1' }),
        library('SpacePurged', { space: 's1' }),
      ]).size,
    ).toBe(0);
  });

  it('goes to another organization without what was granted before, and keeps the default level', () => {
    const entered = of('p')('TransferEntered', {
      transfer: 't',
      from: 'o',
      nodes: [{ id: 's1', kind: 'space', parent: null, order: 'a5', deletedAt: null }],
    });
    const there = { ...node, organization: 'p', parent: null, order: 'a5', users: [] };
    const history = [created, creator, added, space('SpaceDefaultLevelChanged', { level: null }), entered];
    expect(redelivered(nodeAccess, history).get('s1')).toEqual({ ...there, defaultLevel: null });
    const late = space('SpaceTeamGrantGiven', { team: 't1', level: 'admin' });
    const followed = space('SpaceTransferred', { organization: 'p' });
    const given = space('SpaceTeamGrantGiven', { team: 't2', level: 'read' });
    expect(redelivered(nodeAccess, [...history, late, followed, given]).get('s1')).toMatchObject({
      users: [],
      teams: [{ team: 't2', level: 'read' }],
    });
    const left = library('SpaceLeft', { space: 's1', to: 'p', transfer: 't' });
    expect(redelivered(nodeAccess, [...history, left, library('LibraryClosed', {})]).size).toBe(1);
  });

  it('is closed where nothing is known of what comes from another organization', () => {
    const nodes = [{ id: 's1', kind: 'space', parent: null, order: 'a5', deletedAt: null }];
    const entered = of('p')('TransferEntered', { transfer: 't', from: 'o', nodes });
    const gone = [created, added, library('LibraryClosed', {}), entered];
    expect(redelivered(nodeAccess, gone).get('s1')).toMatchObject({ organization: 'p', defaultLevel: null });
  });

  it('is recorded for collections as well', () => {
    const collection = of('c1');
    const history = [
      collection('CollectionCreated', { organization: 'o', title: 'Guides', description: null }),
      collection('CollectionUserGrantGiven', { user: 'ann', membership: 'm1', level: 'admin' }),
      library('CollectionAdded', { collection: 'c1', parent: null, order: 'a0' }),
      collection('CollectionTeamGrantGiven', { team: 't1', level: null }),
      collection('CollectionDefaultLevelChanged', { level: 'read' }),
      library('CollectionMoved', { collection: 'c1', parent: 'c0', order: 'a1' }),
    ];
    const doc = {
      ...node,
      kind: 'collection',
      parent: 'c0',
      order: 'a1',
      defaultLevel: 'read',
      teams: [{ team: 't1', level: null }],
    };
    expect(redelivered(nodeAccess, history).get('c1')).toEqual(doc);
    const revoked = [
      ...history,
      collection('CollectionTeamGrantRemoved', { team: 't1' }),
      collection('CollectionUserGrantRemoved', { user: 'ann' }),
      library('CollectionDeleted', { collection: 'c1' }),
    ];
    expect(redelivered(nodeAccess, revoked).get('c1')).toEqual({ ...doc, users: [], teams: [], deletedAt: meta.time });
    expect(redelivered(nodeAccess, [...revoked, library('CollectionPurgeBegan', { collection: 'c1' })]).size).toBe(0);
  });

  it('ends with the library', () => {
    const other = [of('s2')('SpaceCreated', { ...created.data, organization: 'p' })];
    expect([...redelivered(nodeAccess, [created, added, ...other, library('LibraryClosed', {})]).keys()]).toEqual([
      's2',
    ]);
  });
});
