import { someCertificate } from '@scriptorium/testing';
import { idOf, textAt } from '../official.js';
import type { World } from '../world.js';

/** Users, organizations, members, invitations, teams and single sign-on. */
export async function driveOrganizations(world: World): Promise<void> {
  await users(world);
  await members(world);
  await teams(world);
  await invitations(world);
  await singleSignOn(world);
}

async function users({ call, people, organization, other, hostname, domain }: World): Promise<void> {
  await call('getApiInformation');
  await call('getAuthenticatedUser');
  await call('getUserById', people.admin.id);
  await call('updateUserById', people.admin.id, { displayName: 'Ann Admin', photoURL: 'https://example.org/ann.png' });
  await call('createOrganization', { title: 'Made by the client' });
  await call('listOrganizationsForAuthenticatedUser', { limit: 2 });
  await call('getOrganizationById', organization);
  await call('updateOrganizationById', organization, {
    title: 'Makers of manuals',
    emailDomains: [domain],
    logo: 'https://example.org/logo.png',
    defaultRole: 'read',
    ai: true,
    inviteLinks: true,
    mergeRules: { type: 'none' },
  });
  await call('updateOrganizationById', other, { defaultRole: null });
  await call('getSubdomain', hostname);
  await call('getOrganizationsForEmailDomain', domain);
  await call('getOrganizationAgentInstructions', organization);
  await call('updateOrganizationAgentInstructions', organization, { instructions: paragraph('Be brief.') });
}

/** A rich document of one paragraph. */
export function paragraph(text: string) {
  const leaves = [{ object: 'leaf', text, marks: [] }];
  const nodes = [{ object: 'text', leaves }];
  return {
    object: 'document',
    data: {},
    nodes: [{ object: 'block', type: 'paragraph', isVoid: false, data: {}, nodes }],
  };
}

async function members({ call, people, organization }: World): Promise<void> {
  const { editor, reader, guest, stranger } = people;
  await call('inviteUsersToOrganization', organization, { emails: [editor.email], role: 'edit' });
  await call('inviteUsersToOrganization', organization, { emails: [reader.email, stranger.email], role: 'read' });
  await call('inviteUsersToOrganization', organization, { emails: [guest.email, `nobody@example.net`], role: null });
  await people.colleague.call('joinOrganization', organization);
  await call('updateOrganizationMemberLastSeenAt', organization);
  await call('listMembersInOrganizationById', organization, { limit: 3, order: 'asc' });
  await call('listMembersInOrganizationById', organization, { search: 'editor', role: 'edit' });
  await call('getMemberInOrganizationById', organization, editor.id);
  await call('getMemberInOrganizationById', organization, guest.id);
  await call('updateMemberInOrganizationById', organization, stranger.id, { role: 'comment' });
  await call('updateMemberInOrganizationById', organization, stranger.id, { role: null });
  await call('removeMemberFromOrganizationById', organization, stranger.id);
  await call('removeMemberFromOrganizationById', organization, stranger.id);
}

async function teams({ call, people, organization }: World): Promise<void> {
  const { editor, reader, guest } = people;
  const team = idOf(await call('createOrganizationTeam', organization, { title: 'Writers', members: [editor.id] }));
  await call('listTeamsInOrganizationById', organization, { title: 'writ' });
  await call('getTeamInOrganizationById', organization, team);
  await call('updateTeamInOrganizationById', organization, team, { title: 'Authors' });
  await call('updateMembersInOrganizationTeam', organization, team, {
    add: [reader.id],
    memberships: { [reader.id]: { role: 'owner' } },
  });
  await call('addMemberToOrganizationTeamById', organization, team, guest.id, { role: 'member' });
  await call('listTeamMembersInOrganizationById', organization, team, { limit: 10 });
  await call('listTeamsForOrganizationMember', organization, reader.id, { title: 'auth' });
  await call('deleteMemberFromOrganizationTeamById', organization, team, guest.id);
  await call('removeTeamFromOrganizationById', organization, team);
  await call('removeTeamFromOrganizationById', organization, team);
}

async function invitations({ call, people, organization }: World): Promise<void> {
  const invite = idOf(await call('createOrganizationInvite', organization, { role: 'read' }));
  await call('listOrganizationInviteLinks', organization, {});
  await call('getOrganizationInviteLink', organization, invite);
  await call('updateOrganizationInviteById', organization, invite, { role: 'comment' });
  await people.stranger.call('joinOrganizationWithInvite', organization, invite);
  await call('deleteOrganizationInviteById', organization, invite);
  await call('deleteOrganizationInviteById', organization, invite);
}

async function singleSignOn({ call, people, organization }: World): Promise<void> {
  const team = idOf(await call('createOrganizationTeam', organization, { title: 'Everybody' }));
  const provider = idOf(
    await call('createOrganizationSAMLProvider', organization, {
      label: 'Directory',
      ssoURL: 'https://idp.example.org/sso',
      entityID: 'https://idp.example.org',
      certificate: someCertificate,
      defaultTeam: team,
      defaultRole: 'read',
    }),
  );
  const bare = idOf(await call('createOrganizationSAMLProvider', organization, { label: 'Bare' }));
  await call('listSAMLProvidersInOrganizationById', organization, {});
  await call('getOrganizationSAMLProviderById', organization, provider);
  await call('updateOrganizationSAMLProvider', organization, provider, { label: 'Company directory' });
  await call('setUserAsSSOMemberForOrganization', organization, people.reader.id);
  await call('listSSOProviderLoginsInOrganization', organization);
  await call('deleteOrganizationSAMLProvider', organization, bare);
  await call('deleteOrganizationSAMLProvider', organization, bare);
  await audit({ call, organization });
}

async function audit({ call, organization }: Pick<World, 'call' | 'organization'>): Promise<void> {
  const entries = await call('listOrganizationAuditEvents', organization, { limit: 50 });
  await call('getOrganizationAuditEvent', organization, textAt(entries, 'items.0.id'));
  await call('listOrganizationAuditEventActions', organization);
}
