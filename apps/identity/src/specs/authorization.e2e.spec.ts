import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answersOf, operationsOf, readAuthorizationTable } from '@scriptorium/testing';
import { someCertificate } from '@scriptorium/testing';
import { startRig, type Person, type Rig } from '../test/rig.js';

/*
 * Who may do what, written from the rules of the API and not from the code. The team owner is a guest of the
 * organization, so that all their rights come from owning the team. `target` is a member who is none of the callers.
 */
const callers = [
  'anonymous',
  'stranger',
  'guest',
  'read',
  'comment',
  'edit',
  'review',
  'create',
  'admin',
  'teamOwner',
  'removed',
  'revoked',
] as const;
type Caller = (typeof callers)[number];

const table = `
  operation                             anonymous stranger guest read comment edit review create admin teamOwner removed revoked
  getApiInformation                     200       200      200   200  200     200  200    200    200   200       200     200
  listOrganizationsForAuthenticatedUser 401       200      200   200  200     200  200    200    200   200       200     401
  createOrganization                    401       201      201   201  201     201  201    201    201   201       201     401
  getOrganizationById                   401       404      200   200  200     200  200    200    200   200       404     401
  updateOrganizationById                401       404      403   403  403     403  403    403    200   403       404     401
  deleteOrganizationById                401       204      403   403  403     403  403    403    205   403       204     401
  joinOrganization                      401       400      204   204  204     204  204    204    204   204       400     401
  getOrganizationsForEmailDomain        401       200      200   200  200     200  200    200    200   200       200     401
  getSubdomain                          401       200      200   200  200     200  200    200    200   200       200     401
  updateOrganizationMemberLastSeenAt    401       404      200   200  200     200  200    200    200   200       404     401
  getOrganizationAgentInstructions      401       404      403   200  200     200  200    200    200   403       404     401
  updateOrganizationAgentInstructions   401       404      403   403  403     403  403    403    200   403       404     401
  listOrganizationAuditEvents           401       404      403   403  403     403  403    403    200   403       404     401
  exportOrganizationAuditEvents         401       404      403   403  403     403  403    403    200   403       404     401
  getOrganizationAuditEventById         401       404      403   403  403     403  403    403    200   403       404     401
  listOrganizationAuditEventActions     401       404      403   403  403     403  403    403    200   403       404     401
  listOrganizationChanges               401       404      200   200  200     200  200    200    200   200       404     401
  inviteUsersToOrganization             401       404      403   403  403     403  403    403    200   403       404     401
  listOrganizationInviteLinks           401       404      403   403  403     403  403    403    200   403       404     401
  createOrganizationInvite              401       404      403   403  403     403  403    403    201   403       404     401
  getOrganizationInviteById             401       404      404   404  404     404  404    404    200   404       404     401
  updateOrganizationInviteById          401       404      404   404  404     404  404    404    200   404       404     401
  deleteOrganizationInviteById          401       404      204   204  204     204  204    204    205   204       404     401
  joinOrganizationWithInvite            401       200      200   200  200     200  200    200    200   200       200     401
  listMembersInOrganizationById         401       404      403   200  200     200  200    200    200   403       404     401
  getMemberInOrganizationById           401       404      404   200  200     200  200    200    200   404       404     401
  updateMemberInOrganizationById        401       404      404   403  403     403  403    403    200   404       404     401
  removeMemberFromOrganizationById      401       404      204   403  403     403  403    403    205   204       404     401
  setUserAsSSOMemberForOrganization     401       404      404   403  403     403  403    403    200   404       404     401
  listSAMLProvidersInOrganizationById   401       404      403   403  403     403  403    403    200   403       404     401
  createOrganizationSAMLProvider        401       404      403   403  403     403  403    403    201   403       404     401
  getOrganizationSAMLProviderById       401       404      404   404  404     404  404    404    200   404       404     401
  updateOrganizationSAMLProvider        401       404      404   404  404     404  404    404    200   404       404     401
  deleteOrganizationSAMLProvider        401       404      204   204  204     204  204    204    205   204       404     401
  listOrganizationSCIMTokens            401       404      403   403  403     403  403    403    200   403       404     401
  createOrganizationSCIMToken           401       404      403   403  403     403  403    403    201   403       404     401
  deleteOrganizationSCIMToken           401       204      403   403  403     403  403    403    204   403       204     401
  listSSOProviderLoginsInOrganization   401       404      200   200  200     200  200    200    200   200       404     401
  listSSOLoginsForEmail                 200       200      200   200  200     200  200    200    200   200       200     200
  getSAMLServiceMetadata                200       200      200   200  200     200  200    200    200   200       200     200
  startSAMLSignIn                       302       302      302   302  302     302  302    302    302   302       302     302
  finishSAMLSignIn                      401       401      401   401  401     401  401    401    401   401       401     401
  listTeamsForOrganizationMember        401       404      404   200  200     200  200    200    200   404       404     401
  listTeamsInOrganizationById           401       404      403   200  200     200  200    200    200   200       404     401
  createOrganizationTeam                401       404      403   403  403     403  403    403    201   403       404     401
  getTeamInOrganizationById             401       404      404   200  200     200  200    200    200   200       404     401
  updateTeamInOrganizationById          401       404      404   403  403     403  403    403    200   200       404     401
  removeTeamFromOrganizationById        401       404      204   403  403     403  403    403    205   403       404     401
  listTeamMembersInOrganizationById     401       404      404   200  200     200  200    200    200   200       404     401
  updateMembersInOrganizationTeam       401       404      404   403  403     403  403    403    204   204       404     401
  addMemberToOrganizationTeamById       401       404      404   403  403     403  403    403    204   204       404     401
  deleteMemberFromOrganizationTeamById  401       404      204   403  403     403  403    403    205   205       404     401
  getAuthenticatedUser                  401       200      200   200  200     200  200    200    200   200       200     401
  getUserById                           401       200      200   200  200     200  200    200    200   200       200     401
  updateUserById                        401       403      403   403  403     403  403    403    403   403       403     401
  deleteAuthenticatedUser               401       205      205   205  205     205  205    205    205   205       205     401
  deleteUserById                        401       403      403   403  403     403  403    403    403   403       403     401
  detachUserFromOrganization            401       403      403   403  403     403  403    403    403   403       403     401
  createUser                            401       403      403   403  403     403  403    403    403   403       403     401
  createTokenForUser                    401       403      403   403  403     403  403    403    403   403       403     401
  listUserTokens                        401       200      200   200  200     200  200    200    200   200       200     401
  createUserToken                       401       201      201   201  201     201  201    201    201   201       201     401
  deleteUserToken                       401       204      204   204  204     204  204    204    204   204       204     401
  signIn                                200       200      200   200  200     200  200    200    200   200       200     200
  signOut                               200       200      200   200  200     200  200    200    200   200       200     200
  sendSignInLink                        200       200      200   200  200     200  200    200    200   200       200     200
  getSession                            401       403      403   403  403     403  403    403    403   403       403     401
  changePassword                        401       403      403   403  403     403  403    403    403   403       403     401
  listUserSessions                      401       200      200   200  200     200  200    200    200   200       200     401
  deleteUserSession                     401       204      204   204  204     204  204    204    204   204       204     401
  listIdentityConsumers                 401       403      403   403  403     403  403    403    403   403       403     401
  listIdentityParkedEvents              401       403      403   403  403     403  403    403    403   403       403     401
  retryIdentityParkedEvent              401       403      403   403  403     403  403    403    403   403       403     401
  listIdentityTimers                    401       403      403   403  403     403  403    403    403   403       403     401
  listIdentityRuns                      401       403      403   403  403     403  403    403    403   403       403     401
  cancelIdentityRun                     401       403      403   403  403     403  403    403    403   403       403     401
  rebuildIdentityProjection             401       403      403   403  403     403  403    403    403   403       403     401
`;

const rows = readAuthorizationTable(table, callers);

/** Operations that need a new target afterwards. */
const ending = new Set([
  'removeMemberFromOrganizationById',
  'removeTeamFromOrganizationById',
  'updateMembersInOrganizationTeam',
  'deleteMemberFromOrganizationTeamById',
  'createTokenForUser',
  'deleteOrganizationInviteById',
  'deleteOrganizationSAMLProvider',
]);

/** A user with a password. Signing in does not depend on the caller. */
const signsIn = { email: 'signs.in@example.org', password: 'velvet-otter-lamp-91' };

interface Request {
  method: string;
  path: string;
  body?: object;
  form?: Record<string, string>;
}

interface Target {
  member: string;
  team: string;
  link: string;
  provider: string;
}

describe('the authorization matrix', () => {
  let rig: Rig;
  let tokens: Record<Caller, string | null>;
  let people: Partial<Record<Caller, Person>>;
  let number = 0;
  let shared: Target | undefined;
  let elsewhere: { organization: string; link: string };
  let audited: string;
  /** An active provider. */
  let active: string;

  beforeAll(async () => {
    rig = await startRig({ MAX_SAML_PROVIDERS_PER_ORGANIZATION: '100' });
    expect(
      (await rig.send('POST', '/users', { body: { ...signsIn, displayName: 'Signs In', emailVerified: true } })).status,
    ).toBe(201);
    people = { stranger: await rig.person('Stranger') };
    for (const role of ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const) {
      people[role] = await rig.member(`Role ${role}`, role);
    }
    for (const name of ['guest', 'teamOwner', 'removed', 'revoked'] as const) {
      people[name] = await rig.member(
        `Caller ${name}`,
        name === 'removed' ? 'admin' : name === 'revoked' ? 'read' : null,
      );
    }
    await rig.send('DELETE', `/orgs/${rig.organization}/members/${people.removed?.id ?? ''}`);
    const organization = String((await rig.send('POST', '/orgs', { body: { title: 'Elsewhere' } })).body['id']);
    active = await provider({
      ssoURL: 'https://idp.example/sso',
      entityID: 'https://idp.example',
      certificate: someCertificate,
    });
    elsewhere = { organization, link: await linkTo(organization) };
    audited = String((await rig.send('GET', `/orgs/${rig.organization}/audit-events`)).body.items[0]?.['id']);
    const revoked = people.revoked?.token ?? '';
    const { body } = await rig.send('GET', '/user/tokens', { token: revoked });
    await rig.send('DELETE', `/user/tokens/${String(body.items[0]?.['id'])}`, { token: revoked });
    tokens = Object.fromEntries(callers.map((caller) => [caller, people[caller]?.token ?? null])) as Record<
      Caller,
      string | null
    >;
  }, 120_000);
  afterAll(() => rig.stop());

  const linkTo = async (organization: string): Promise<string> =>
    String((await rig.send('POST', `/orgs/${organization}/link-invites`, { body: { role: 'read' } })).body['id']);

  const provider = async (settings: object): Promise<string> =>
    String(
      (await rig.send('POST', `/orgs/${rig.organization}/saml`, { body: { label: 'Target', ...settings } })).body['id'],
    );

  /** Creates another organization in which the callers have the same roles, to be deleted. */
  const doomed = async (): Promise<string> => {
    number += 1;
    const organization = String((await rig.send('POST', '/orgs', { body: { title: `Doomed ${number}` } })).body['id']);
    const guests = new Set(['guest', 'teamOwner']);
    const emails = Object.entries(people).flatMap(([caller, { email }]) =>
      caller === 'stranger' || caller === 'removed'
        ? []
        : [{ email, role: guests.has(caller) ? null : caller === 'revoked' ? 'read' : caller }],
    );
    await rig.send('POST', `/orgs/${organization}/invites`, { body: { emails } });
    return organization;
  };

  /** Creates a new member in a new team of the team owner, since some requests remove them. */
  const target = async (): Promise<Target> => {
    number += 1;
    const { id } = await rig.member(`Target ${number}`, 'read');
    const owner = people.teamOwner?.id ?? '';
    const made = await rig.send('PUT', `/orgs/${rig.organization}/teams`, {
      body: { title: `Team ${number}`, members: [id, owner] },
    });
    const team = String(made.body['id']);
    await rig.send('PUT', `/orgs/${rig.organization}/teams/${team}/members/${owner}`, { body: { role: 'owner' } });
    return { member: id, team, link: await linkTo(rig.organization), provider: await provider({}) };
  };

  const requestFor = async (operation: string, isRefused: boolean): Promise<Request> => {
    shared ??= await target();
    const { member, team, link, provider } = shared;
    if (!isRefused && ending.has(operation)) shared = undefined;
    number += 1;
    const org = `/orgs/${rig.organization}`;
    const requests: Record<string, Request> = {
      getApiInformation: { method: 'GET', path: '/' },
      listOrganizationsForAuthenticatedUser: { method: 'GET', path: '/orgs' },
      createOrganization: { method: 'POST', path: '/orgs', body: { title: `Organization ${number}` } },
      getOrganizationById: { method: 'GET', path: org },
      updateOrganizationById: { method: 'PATCH', path: org, body: { title: `Title ${number}` } },
      deleteOrganizationById: {
        method: 'DELETE',
        path: `/orgs/${operation === 'deleteOrganizationById' ? await doomed() : ''}`,
      },
      joinOrganization: { method: 'POST', path: `${org}/join` },
      getOrganizationsForEmailDomain: { method: 'GET', path: '/email-domains/example.org/orgs' },
      getSubdomain: { method: 'GET', path: '/subdomains/first-organization' },
      updateOrganizationMemberLastSeenAt: { method: 'POST', path: `${org}/ping` },
      getOrganizationAgentInstructions: { method: 'GET', path: `${org}/agent-instructions` },
      updateOrganizationAgentInstructions: {
        method: 'PUT',
        path: `${org}/agent-instructions`,
        body: { instructions: { markdown: 'Be kind.' } },
      },
      listOrganizationAuditEvents: { method: 'GET', path: `${org}/audit-events` },
      exportOrganizationAuditEvents: { method: 'GET', path: `${org}/audit-events/export` },
      getOrganizationAuditEventById: { method: 'GET', path: `${org}/audit-events/${audited}` },
      listOrganizationAuditEventActions: { method: 'GET', path: `${org}/audit-event-actions` },
      listOrganizationChanges: { method: 'GET', path: `${org}/changes` },
      inviteUsersToOrganization: {
        method: 'POST',
        path: `${org}/invites`,
        body: { emails: [`invited${number}@example.org`] },
      },
      listOrganizationInviteLinks: { method: 'GET', path: `${org}/link-invites` },
      createOrganizationInvite: { method: 'POST', path: `${org}/link-invites`, body: { role: 'read' } },
      getOrganizationInviteById: { method: 'GET', path: `${org}/link-invites/${link}` },
      updateOrganizationInviteById: { method: 'PATCH', path: `${org}/link-invites/${link}`, body: { role: 'edit' } },
      deleteOrganizationInviteById: { method: 'DELETE', path: `${org}/link-invites/${link}` },
      joinOrganizationWithInvite: { method: 'POST', path: `/orgs/${elsewhere.organization}/invites/${elsewhere.link}` },
      listMembersInOrganizationById: { method: 'GET', path: `${org}/members` },
      getMemberInOrganizationById: { method: 'GET', path: `${org}/members/${member}` },
      updateMemberInOrganizationById: { method: 'PATCH', path: `${org}/members/${member}`, body: { role: 'edit' } },
      removeMemberFromOrganizationById: { method: 'DELETE', path: `${org}/members/${member}` },
      setUserAsSSOMemberForOrganization: { method: 'POST', path: `${org}/members/${member}/sso` },
      listSAMLProvidersInOrganizationById: { method: 'GET', path: `${org}/saml` },
      createOrganizationSAMLProvider: { method: 'POST', path: `${org}/saml`, body: { label: 'New' } },
      getOrganizationSAMLProviderById: { method: 'GET', path: `${org}/saml/${provider}` },
      updateOrganizationSAMLProvider: { method: 'PATCH', path: `${org}/saml/${provider}`, body: { label: 'Changed' } },
      deleteOrganizationSAMLProvider: { method: 'DELETE', path: `${org}/saml/${provider}` },
      listOrganizationSCIMTokens: { method: 'GET', path: `${org}/scim/tokens` },
      createOrganizationSCIMToken: { method: 'POST', path: `${org}/scim/tokens`, body: { label: 'Okta' } },
      deleteOrganizationSCIMToken: { method: 'DELETE', path: `${org}/scim/tokens/unknown` },
      listSSOProviderLoginsInOrganization: { method: 'GET', path: `${org}/sso` },
      listSSOLoginsForEmail: { method: 'GET', path: '/sso?email=somebody@example.org' },
      getSAMLServiceMetadata: { method: 'GET', path: `/sso/saml/${provider}/metadata` },
      startSAMLSignIn: { method: 'GET', path: `/sso/saml/${active}/start` },
      finishSAMLSignIn: {
        method: 'POST',
        path: `/sso/saml/${active}/acs`,
        form: { SAMLResponse: 'AAAA', RelayState: 'unknown' },
      },
      listTeamsForOrganizationMember: { method: 'GET', path: `${org}/members/${member}/teams` },
      listTeamsInOrganizationById: { method: 'GET', path: `${org}/teams` },
      createOrganizationTeam: { method: 'PUT', path: `${org}/teams`, body: { title: 'New' } },
      getTeamInOrganizationById: { method: 'GET', path: `${org}/teams/${team}` },
      updateTeamInOrganizationById: { method: 'PATCH', path: `${org}/teams/${team}`, body: { title: 'Renamed' } },
      removeTeamFromOrganizationById: { method: 'DELETE', path: `${org}/teams/${team}` },
      listTeamMembersInOrganizationById: { method: 'GET', path: `${org}/teams/${team}/members` },
      updateMembersInOrganizationTeam: {
        method: 'PUT',
        path: `${org}/teams/${team}/members`,
        body: { remove: [member] },
      },
      addMemberToOrganizationTeamById: { method: 'PUT', path: `${org}/teams/${team}/members/${member}` },
      deleteMemberFromOrganizationTeamById: { method: 'DELETE', path: `${org}/teams/${team}/members/${member}` },
      getAuthenticatedUser: { method: 'GET', path: '/user' },
      getUserById: { method: 'GET', path: `/users/${member}` },
      deleteAuthenticatedUser: { method: 'DELETE', path: '/user' },
      deleteUserById: { method: 'DELETE', path: `/users/${member}` },
      detachUserFromOrganization: { method: 'DELETE', path: `/users/${member}${org}` },
      updateUserById: { method: 'PATCH', path: `/users/${member}`, body: { displayName: 'Other' } },
      createUser: { method: 'POST', path: '/users', body: { email: `made${number}@example.org`, displayName: 'Made' } },
      createTokenForUser: { method: 'POST', path: `/users/${member}/tokens`, body: { label: 'x' } },
      listUserTokens: { method: 'GET', path: '/user/tokens' },
      createUserToken: { method: 'POST', path: '/user/tokens', body: { label: 'x' } },
      deleteUserToken: { method: 'DELETE', path: '/user/tokens/unknown' },
      signIn: { method: 'POST', path: '/auth/login', body: signsIn },
      signOut: { method: 'POST', path: '/auth/logout' },
      sendSignInLink: { method: 'POST', path: '/auth/email-link', body: { email: `asks${number}@example.org` } },
      getSession: { method: 'GET', path: '/auth/session' },
      changePassword: { method: 'PUT', path: '/auth/password', body: { password: signsIn.password } },
      listUserSessions: { method: 'GET', path: '/user/sessions' },
      deleteUserSession: { method: 'DELETE', path: '/user/sessions/unknown' },
      listIdentityConsumers: { method: 'GET', path: '/operator/identity/consumers' },
      listIdentityParkedEvents: { method: 'GET', path: '/operator/identity/parked-events' },
      retryIdentityParkedEvent: { method: 'POST', path: '/operator/identity/parked-events/x/retry' },
      listIdentityTimers: { method: 'GET', path: '/operator/identity/timers' },
      listIdentityRuns: { method: 'GET', path: '/operator/identity/runs' },
      cancelIdentityRun: { method: 'POST', path: '/operator/identity/runs/x/cancel' },
      rebuildIdentityProjection: { method: 'POST', path: '/operator/identity/projections/team_v3/rebuild' },
    };
    const request = requests[operation];
    if (request === undefined) throw new Error(`No request for ${operation}`);
    return request;
  };

  /** The token of another person with the same role, since the callers are needed after the erasure. */
  const doubleOf = async (caller: Caller): Promise<string | null> => {
    if (caller === 'anonymous' || caller === 'revoked') return tokens[caller];
    number += 1;
    const name = `Double ${number}`;
    if (caller === 'stranger' || caller === 'removed') return (await rig.person(name)).token;
    return (await rig.member(name, caller === 'guest' || caller === 'teamOwner' ? null : caller)).token;
  };

  /** The status of a request. Redirects are not followed. */
  const statusFor = async ({ method, path, body, form }: Request, token: string | null): Promise<number> => {
    if (body !== undefined) return (await rig.send(method, path, { token, body })).status;
    if (!path.startsWith('/sso/saml/')) return (await rig.send(method, path, { token })).status;
    const headers = token === null ? {} : { authorization: `Bearer ${token}` };
    return (
      await fetch(`${rig.endpoint}/v1${path}`, {
        method,
        headers,
        redirect: 'manual',
        ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      })
    ).status;
  };

  it('has a row for every operation', () => {
    // Other services have matrices of their own.
    expect(rows.map(({ operation }) => operation).sort()).toEqual(operationsOf('identity', 'gateway'));
  });

  it.each(rows)(
    'holds for $operation',
    async (row) => {
      const { operation } = row;
      const answered = await answersOf(row, async (caller, isRefused) => {
        const token = operation === 'deleteAuthenticatedUser' ? await doubleOf(caller) : tokens[caller];
        return statusFor(await requestFor(operation, isRefused), token);
      });
      expect(answered).toEqual(row.expected);
    },
    60_000,
  );
});
