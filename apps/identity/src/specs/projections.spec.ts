import { describe, expect, it } from '@jest/globals';
import { redelivered } from '@scriptorium/event-sourcing/testing';
import { agentInstructionsDocs } from '../agent-instructions/agent-instructions.projection.js';
import { auditEvents } from '../activity/audit-event.projection.js';
import { pendingInvites } from '../organizations/invitations/pending-invite.projection.js';
import { linkInviteDocs } from '../organizations/link-invitations/link-invite.projection.js';
import { knownSites } from '../organizations/settings/known-site.projection.js';
import { members } from '../organization-read-models/member.projection.js';
import { organizations } from '../organization-read-models/organization.projection.js';
import { samlProviders } from '../organization-read-models/saml-provider.projection.js';
import { teamMembers } from '../organization-read-models/team-member.projection.js';
import { teamPlaces } from '../teams/team-place.projection.js';
import { teams } from '../teams/team.projection.js';
import { provisionedTeams } from '../provisioning/groups/provisioned-team.projection.js';
import { scimTokens } from '../provisioning/tokens/scim-token.projection.js';
import { provisionedUsers } from '../organization-read-models/index.js';
import { tokens } from '../accounts/tokens/token.projection.js';
import { users } from '../organization-read-models/user.projection.js';

const meta = { organization: 'o', time: '2026-01-02T03:04:05.006Z' };
const of = (entityId: string) => (type: string, data: object) => ({ type, data, entityId, meta });
const roster = of('o');
const team = of('t');
const joined = roster('MemberJoined', { user: 'ann', membership: 'm1', role: 'read', via: 'invite' });
const left = roster('MemberRemoved', { user: 'ann', membership: 'm1' });
const registered = of('ann')('UserRegistered', {
  email: 'ann@example.com',
  emailVerified: true,
  displayName: 'ÅNN',
  kind: 'person',
  operator: false,
});
const madeTeam = team('TeamCreated', { organization: 'o', title: 'Writers' });
const inTeam = team('TeamMemberAdded', { user: 'ann', membership: 'm1', role: 'member' });

// Each history is folded with every prefix of it delivered twice, since redelivery must change nothing.
describe('the projections of identity', () => {
  it('show users with their organizations', () => {
    const renamed = of('ann')('UserRenamed', { displayName: 'Anna' });
    const photo = of('ann')('UserPhotoChanged', { photoURL: 'https://x.example/a.png' });
    expect(redelivered(users, [registered, joined]).get('ann')).toMatchObject({ nameKey: 'ånn', organizations: ['o'] });
    expect(redelivered(users, [registered, joined, renamed, photo, left]).get('ann')).toMatchObject({
      displayName: 'Anna',
      nameKey: 'anna',
      photoURL: 'https://x.example/a.png',
      organizations: [],
    });
    expect(redelivered(users, [joined]).size).toBe(0);
    const unverified = of('bob')('UserRegistered', {
      email: 'bob@example.com',
      emailVerified: false,
      displayName: 'Bob',
      kind: 'person',
      operator: false,
    });
    expect(redelivered(users, [unverified, of('bob')('UserEmailVerified', {})]).get('bob')).toMatchObject({
      emailVerified: true,
    });
  });

  it('show how providers name people until they are deleted or erased, or the organization is', () => {
    const names = { externalId: 'e1', displayName: null, givenName: null, familyName: null, created: true };
    const named = (userName: string) => of('ann')('UserProvisioned', { organization: 'o', userName, ...names });
    const both = [named('Ann'), named('ANNA')];
    const shown = { user: 'ann', userName: 'ANNA', userNameKey: 'anna', externalId: 'e1', createdAt: meta.time };
    expect(redelivered(provisionedUsers, both).get('o:ann')).toMatchObject(shown);
    const endings = [
      of('ann')('UserDeprovisioned', { organization: 'o' }),
      of('ann')('UserErased', { user: 'ann' }),
      of('o')('OrganizationDeleted', {}),
    ];
    for (const ending of endings) expect(redelivered(provisionedUsers, [...both, ending]).size).toBe(0);
  });

  it('show whether those whom providers name are members, and when that or their names changed', () => {
    const at = (second: number, event: ReturnType<ReturnType<typeof of>>) => {
      return { ...event, meta: { ...meta, time: `2026-01-02T03:04:0${second}.000Z` } };
    };
    const names = { externalId: null, displayName: null, givenName: null, familyName: null };
    const named = (created: boolean) =>
      of('ann')('UserProvisioned', { organization: 'o', userName: 'ann', ...names, created });
    const history = [
      at(1, named(true)),
      at(2, joined),
      at(3, roster('MemberDisabled', { user: 'ann' })),
      at(4, roster('MemberEnabled', { user: 'ann' })),
      at(5, left),
    ];
    const seen = history.map((_, i) => redelivered(provisionedUsers, history.slice(0, i + 1)).get('o:ann'));
    expect(seen.map((doc) => [doc?.membership, doc?.createdAt.slice(17, 19), doc?.modifiedAt.slice(17, 19)])).toEqual([
      ['none', '01', '01'],
      ['present', '01', '02'],
      ['present', '01', '03'],
      ['present', '01', '04'],
      ['ended', '01', '05'],
    ]);
    expect(redelivered(provisionedUsers, [joined, named(false)]).get('o:ann')).toMatchObject({ membership: 'present' });
    expect(redelivered(provisionedUsers, [joined, left]).size).toBe(0);
  });

  it('show how providers name teams until they are deleted', () => {
    const named = (externalId: string | null) => of('o')('TeamExternalIdChanged', { team: 't', externalId });
    const removed = team('TeamDeleted', {});
    const shown = { organization: 'o', externalId: 'g1', exists: true, modifiedAt: meta.time };
    expect(redelivered(provisionedTeams, [named('g1'), madeTeam, inTeam]).get('t')).toEqual(shown);
    expect(redelivered(provisionedTeams, [madeTeam, named('g1'), named(null)]).get('t')).toMatchObject({
      externalId: null,
    });
    const gone = [
      [named('g1'), named(null)],
      [madeTeam, named('g1'), removed, named(null)],
      [madeTeam, of('o')('OrganizationDeleted', {})],
    ];
    for (const history of gone) expect(redelivered(provisionedTeams, history).size).toBe(0);
  });

  it('show SCIM tokens until they are revoked or their organization is deleted', () => {
    const made = of('o')('SCIMTokenCreated', { token: 't1', label: 'Okta', hash: 'ab' });
    const shown = { organization: 'o', label: 'Okta', createdAt: meta.time };
    expect(redelivered(scimTokens, [made]).get('t1')).toMatchObject(shown);
    expect(redelivered(scimTokens, [made, of('o')('SCIMTokenRevoked', { token: 't1' })]).size).toBe(0);
    expect(redelivered(scimTokens, [made, of('o')('OrganizationDeleted', {})]).size).toBe(0);
  });

  it('show organizations with their settings and number of members', () => {
    const created = of('o')('OrganizationCreated', {
      title: 'Acme',
      hostname: 'acme',
      emailDomains: [],
      createdBy: 'ann',
    });
    const history = [
      created,
      roster('RosterOpened', { organization: 'o' }),
      joined,
      roster('MemberJoined', { user: 'bob', membership: 'm2', role: null, via: 'link' }),
      left,
      of('o')('OrganizationRenamed', { title: 'ACME' }),
      of('o')('OrganizationAIDisabled', {}),
    ];
    expect(redelivered(organizations, history).get('o')).toMatchObject({
      title: 'ACME',
      titleKey: 'acme',
      ai: false,
      members: 1,
      createdAt: meta.time,
    });
  });

  it('show members', () => {
    const role = roster('MemberRoleChanged', { user: 'ann', role: 'admin' });
    const off = roster('MemberDisabled', { user: 'ann' });
    expect(redelivered(members, [joined, role, off]).get('o:ann')).toMatchObject({
      role: 'admin',
      disabled: true,
      joinedAt: meta.time,
    });
    expect(redelivered(members, [joined, off, roster('MemberEnabled', { user: 'ann' })]).get('o:ann')).toMatchObject({
      disabled: false,
    });
    expect(redelivered(members, [joined, left]).size).toBe(0);
  });

  it('show teams and their members', () => {
    const owner = team('TeamMemberRoleChanged', { user: 'ann', role: 'owner' });
    const out = team('TeamMemberRemoved', { user: 'ann', membership: 'm1' });
    expect(redelivered(teams, [madeTeam, inTeam, team('TeamRenamed', { title: 'Éditeurs' })]).get('t')).toMatchObject({
      titleKey: 'éditeurs',
      members: 1,
    });
    expect(redelivered(teams, [madeTeam, inTeam, owner, out]).get('t')).toMatchObject({ members: 0 });
    expect(redelivered(teams, [madeTeam, team('TeamDeleted', {})]).size).toBe(0);
    expect(redelivered(teamMembers, [madeTeam, inTeam, owner]).get('t:ann')).toMatchObject({
      role: 'owner',
      organization: 'o',
    });
    expect(redelivered(teamMembers, [madeTeam, inTeam, out]).size).toBe(0);
    expect(redelivered(teamMembers, [madeTeam, inTeam, team('TeamDeleted', {})]).size).toBe(0);
  });

  it('hide a removed member from teams at once, and keep the team membership until the team records its end', () => {
    const history = [madeTeam, inTeam, left];
    expect(redelivered(teamMembers, history).size).toBe(0);
    expect(redelivered(teamPlaces, history).get('t:ann')).toEqual({ team: 't', membership: 'm1' });
    expect(
      redelivered(teamPlaces, [...history, team('TeamMemberRemoved', { user: 'ann', membership: 'm1' })]).size,
    ).toBe(0);
    expect(redelivered(teamPlaces, [...history, team('TeamDeleted', {})]).size).toBe(0);
  });

  it('show tokens until they are revoked', () => {
    const made = of('ann')('TokenCreated', { token: 'k', label: 'ci', hash: 'ab', scopes: ['user:read'] });
    expect(redelivered(tokens, [made]).get('k')).toMatchObject({ user: 'ann', label: 'ci', scopes: ['user:read'] });
    expect(redelivered(tokens, [made, of('ann')('TokenRevoked', { token: 'k' })]).size).toBe(0);
  });

  it('show nothing of an erased person, whatever is left of their streams', () => {
    const made = of('ann')('TokenCreated', { token: 'k', label: 'ci', hash: 'ab' });
    const others = of('bob')('TokenCreated', { token: 'l', label: 'ci', hash: 'cd' });
    const [erased, ended] = [of('ann')('UserErased', { user: 'ann' }), of('ann')('CredentialsEnded', {})];
    expect(
      redelivered(users, [registered, joined, erased, of('ann')('UserRenamed', { displayName: 'Anna' }), left]).size,
    ).toBe(0);
    expect(redelivered(users, [joined, erased, left]).size).toBe(0);
    expect([...redelivered(tokens, [made, others, ended]).keys()]).toEqual(['l']);
    expect([...redelivered(tokens, [others]).keys()]).toEqual(['l']);
  });

  it('show invitations until they are accepted or closed', () => {
    const invited = of('i')('MemberInvited', { organization: 'o', email: 'zoe@example.com', role: null, sso: false });
    expect(redelivered(pendingInvites, [invited]).get('i')).toMatchObject({
      email: 'zoe@example.com',
      invitedAt: meta.time,
    });
    const [accepted, closed] = [
      of('i')('InviteAccepted', { user: 'zoe' }),
      of('address')('InviteClosed', { invite: 'i' }),
    ];
    expect(redelivered(pendingInvites, [invited, accepted, closed]).size).toBe(0);
    // Events that were removed from disk are missing in a rebuild.
    expect(redelivered(pendingInvites, [invited, closed]).size).toBe(0);
    expect(redelivered(pendingInvites, [closed]).size).toBe(0);
  });

  it('show invitation links until they are deleted', () => {
    const made = of('o')('LinkInviteCreated', { invite: 'l', role: 'read' });
    const changed = of('o')('LinkInviteRoleChanged', { invite: 'l', role: null });
    expect(redelivered(linkInviteDocs, [made, changed]).get('l')).toEqual({
      organization: 'o',
      role: null,
      createdAt: meta.time,
    });
    expect(redelivered(linkInviteDocs, [made, of('o')('LinkInviteDeleted', { invite: 'l' }), changed]).size).toBe(0);
  });

  it('show SAML providers, marked members and enforcement', () => {
    const settings = {
      label: 'Main',
      ssoURL: 'https://idp.example',
      entityID: null,
      certificate: 'pem',
      certificateValid: true,
      defaultTeam: null,
      defaultRole: null,
    };
    const made = roster('SAMLProviderCreated', { provider: 'p', settings });
    const completed = roster('SAMLProviderConfigured', { provider: 'p', settings: { ...settings, entityID: 'idp' } });
    expect(redelivered(samlProviders, [made]).get('p')).toMatchObject({
      organization: 'o',
      status: 'pending',
      createdAt: meta.time,
    });
    expect(redelivered(samlProviders, [made, completed]).get('p')).toMatchObject({ status: 'active', entityID: 'idp' });
    expect(redelivered(samlProviders, [made, completed, roster('SAMLProviderDeleted', { provider: 'p' })]).size).toBe(
      0,
    );
    const marked = roster('MemberMarkedForSSO', { user: 'ann' });
    expect(redelivered(members, [joined, marked]).get('o:ann')).toMatchObject({ sso: true });
    const created = of('o')('OrganizationCreated', {
      title: 'Acme',
      hostname: 'acme',
      emailDomains: [],
      createdBy: 'ann',
    });
    const enforced = roster('OrganizationSSOEnforcementEnabled', {});
    expect(redelivered(organizations, [created, enforced]).get('o')).toMatchObject({ sso: true });
    expect(
      redelivered(organizations, [created, enforced, roster('OrganizationSSOEnforcementDisabled', {})]).get('o'),
    ).toMatchObject({ sso: false });
  });

  it('show agent instructions', () => {
    const written = of('o')('AgentInstructionsReplaced', { document: '{}' });
    expect(redelivered(agentInstructionsDocs, [written]).get('o')).toEqual({
      document: '{}',
      updatedAt: meta.time,
      updatedBy: 'actor',
    });
  });

  it('show audit events with ids alone', () => {
    expect([...redelivered(auditEvents, [joined, madeTeam, registered]).values()]).toEqual([
      {
        organization: 'o',
        occurredAt: meta.time,
        action: 'member_joined',
        actorKind: 'user',
        actor: 'actor',
        source: null,
        target: 'ann',
      },
      {
        organization: 'o',
        occurredAt: meta.time,
        action: 'team_created',
        actorKind: 'user',
        actor: 'actor',
        source: null,
        target: 't',
      },
    ]);
    // Of a deleted organization only the deletion stays, and it appears in no list.
    expect([...redelivered(auditEvents, [joined, madeTeam, of('o')('OrganizationDeleted', {}), left])]).toEqual([
      ['deletion/o', expect.objectContaining({ organization: '', action: 'organization_deleted', target: 'o' })],
    ]);
  });

  it('know sites until they, or their organizations, are deleted', () => {
    const added = of('o')('SiteAdded', { site: 's' });
    expect(redelivered(knownSites, [added]).get('s')).toEqual({ organization: 'o' });
    expect(redelivered(knownSites, [added, of('o')('SiteDeleted', { site: 's' })]).size).toBe(0);
    expect(redelivered(knownSites, [added, of('o')('SiteDirectoryClosed', {})]).size).toBe(0);
  });

  it('show nothing of a deleted organization', () => {
    const created = of('o')('OrganizationCreated', {
      title: 'Acme',
      hostname: 'acme',
      emailDomains: [],
      createdBy: 'ann',
    });
    const other = {
      ...roster('MemberJoined', { user: 'ann', membership: 'm9', role: 'read', via: 'link' }),
      entityId: 'p',
      meta: { ...meta, organization: 'p' },
    };
    const [closed, deleted] = [roster('RosterClosed', {}), of('o')('OrganizationDeleted', {})];
    const settings = {
      label: 'Main',
      ssoURL: null,
      entityID: null,
      certificate: null,
      certificateValid: false,
      defaultTeam: null,
      defaultRole: null,
    };
    const link = of('o')('LinkInviteCreated', { invite: 'l', role: 'read' });
    expect(redelivered(organizations, [created, joined, closed, left, deleted, madeTeam]).size).toBe(0);
    expect([...redelivered(members, [joined, other, closed]).keys()]).toEqual(['p:ann']);
    expect(redelivered(members, [joined, other, closed, left]).size).toBe(1);
    expect(redelivered(users, [registered, joined, other, left]).get('ann')).toMatchObject({ organizations: ['p'] });
    expect(
      redelivered(linkInviteDocs, [link, { ...link, entityId: 'p', data: { invite: 'k', role: null } }, deleted]).size,
    ).toBe(1);
    expect(
      redelivered(samlProviders, [of('o')('SAMLProviderCreated', { provider: 'p', settings }), deleted]).size,
    ).toBe(0);
    expect(
      redelivered(agentInstructionsDocs, [of('o')('AgentInstructionsReplaced', { document: '{}' }), deleted]).size,
    ).toBe(0);
    const invited = of('i')('MemberInvited', { organization: 'o', email: 'zoe@example.com', role: null, sso: false });
    expect(redelivered(pendingInvites, [invited, of('i')('InviteRevoked', {})]).size).toBe(0);
  });
});
