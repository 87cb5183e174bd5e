import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicActions } from '@scriptorium/contracts';
import { adminAlerts, recordToken } from './admin-alerts.js';
import { auditEvents } from './audit-event.projection.js';
import { someCertificate } from '@scriptorium/testing';
import { eventually, get, startRig, type Body, type Person, type Rig } from '../test/rig-with-store.js';

describe('the audit log of an organization', () => {
  let rig: Rig;
  let org: string;
  let admin: Person;
  let team: string;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    org = `/orgs/${rig.organization}`;
    admin = await rig.member('Ada Admin', 'admin');
    const made = await rig.send('PUT', `${org}/teams`, { body: { title: 'Writers' }, token: admin.token });
    team = String(made.body['id']);
    await rig.send('PATCH', `${org}/teams/${team}`, { body: { title: 'Editors' } });
  }, 60_000);
  afterAll(() => rig.stop());

  const list = async (query = ''): Promise<Body> => (await rig.send('GET', `${org}/audit-events${query}`)).body;
  const actions = ({ items }: Pick<Body, 'items'>) => items.map(({ action }) => action);
  /** The event about the token of a member is recorded a moment later, if they are a member by then. */
  const withoutTokens = ({ items }: Body) => items.filter(({ action }) => action !== 'member_token_issued');

  it('lists what happened, newest first, with actor and target', async () => {
    const all = await list();
    expect(all.count).toBe(all.items.length);
    const items = withoutTokens(all);
    expect(actions({ items })).toEqual([
      'team_renamed',
      'team_created',
      'member_joined',
      'member_joined',
      'organization_created',
    ]);
    const [renamed, created, joined] = items;
    expect(created).toEqual({
      object: 'audit-event',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      occurredAt: expect.stringMatching(/Z$/),
      action: 'team_created',
      source: 'api',
      actor: {
        object: 'user',
        id: admin.id,
        displayName: 'Ada Admin',
        urls: { location: `https://docs.example/v1/users/${admin.id}` },
      },
      target: { object: 'team', id: team, urls: { location: `https://docs.example/v1${org}/teams/${team}` } },
    });
    expect(get(renamed, 'actor.id')).toBe(rig.owner.id);
    expect(joined?.['target']).toEqual({
      object: 'member',
      id: admin.id,
      urls: { location: `https://docs.example/v1${org}/members/${admin.id}` },
    });
    expect((await rig.send('GET', `${org}/audit-events/${String(created?.['id'])}`)).body).toEqual(created);
  });

  it('can be filtered by action, actor, target and time', async () => {
    expect(actions(await list('?action=team_renamed'))).toEqual(['team_renamed']);
    expect(actions(await list(`?actor=${admin.id}`))).toEqual(['team_created']);
    expect(actions(await list(`?target=${team}`))).toEqual(['team_renamed', 'team_created']);
    expect(await list(`?target=${team}&actor=${admin.id}&action=team_renamed`)).toEqual({ items: [], count: 0 });
    const all = await list();
    const [renamed, created, joined] = withoutTokens(all).map(({ occurredAt }) => String(occurredAt));
    const between = await list(`?from=${created}&to=${renamed}`);
    expect(actions({ items: withoutTokens(between) })).toEqual(['team_created']);
    expect((await list(`?to=${joined}`)).count).toBe(
      all.items.filter(({ occurredAt }) => String(occurredAt) < String(joined)).length,
    );
    expect((await list('?from=2999-01-01T00:00:00Z')).count).toBe(0);
  });

  it('is paged without gap or repetition while new events arrive', async () => {
    const before = (await list()).items.map(({ id }) => id);
    const seen: unknown[] = [];
    let page: unknown;
    do {
      const body = await list(`?limit=2${typeof page === 'string' ? `&page=${page}` : ''}`);
      seen.push(...body.items.map(({ id }) => id));
      page = get(body, 'next.page');
      await rig.send('PATCH', `${org}/teams/${team}`, { body: { title: `Title ${seen.length}` } });
    } while (page !== undefined);
    expect(seen).toEqual(before);
  });

  it('refuses unknown filter values and too large pages, naming the field', async () => {
    const refused = async (query: string) => {
      const { status, body } = await rig.send('GET', `${org}/audit-events?${query}`);
      return [status, body.error.details?.[0]?.path];
    };
    expect(await refused('limit=101')).toEqual([400, 'query.limit']);
    expect(await refused('action=team_painted')).toEqual([400, 'query.action']);
    expect(await refused('from=yesterday')).toEqual([400, 'query.from']);
    expect(await refused('page=x')).toEqual([400, 'query.page']);
    const { next } = (await list('?limit=1')) as { next?: { page: string } };
    expect(await refused(`limit=1&actor=${admin.id}&page=${next?.page}`)).toEqual([400, 'query.page']);
  });

  it('is open only to admins of the organization whose token has no scopes', async () => {
    const [reader, stranger] = [await rig.member('Rea Der', 'read'), await rig.person('Stran Ger')];
    const status = async (token: string, path: string) => (await rig.send('GET', path, { token })).status;
    expect([
      await status(reader.token, `${org}/audit-events`),
      await status(stranger.token, `${org}/audit-events`),
    ]).toEqual([403, 404]);
    const limited = await rig.send('POST', '/user/tokens', {
      token: admin.token,
      body: { label: 'limited', scopes: ['organization:read'] },
    });
    expect(await status(String(limited.body['token']), `${org}/audit-events`)).toBe(403);
    const other = `/orgs/${String((await rig.send('POST', '/orgs', { body: { title: 'Other' } })).body['id'])}`;
    const [event] = (await list()).items;
    expect(await status(rig.owner.token, `${other}/audit-events/${String(event?.['id'])}`)).toBe(404);
    expect((await rig.send('GET', `${other}/audit-events`)).body['count']).toBe(2);
  });

  it('is exported as lines from a cursor on, oldest first, so that nothing is missed or told twice', async () => {
    const lines = async (after = '', limit = 2) => {
      const query = `?limit=${limit}${after === '' ? '' : `&after=${after}`}`;
      const response = await fetch(`${rig.endpoint}/v1${org}/audit-events/export${query}`, {
        headers: { authorization: `Bearer ${admin.token}`, accept: 'application/x-ndjson' },
      });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
      const text = await response.text();
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
    };
    const all = await lines();
    expect(all.map(({ id }) => id)).toEqual((await list('?limit=100')).items.map(({ id }) => id).reverse());
    const { cursor, ...event } = all.at(-1) ?? {};
    expect((await rig.send('GET', `${org}/audit-events/${String(event['id'])}`)).body).toEqual(event);
    expect(await lines(String(cursor))).toEqual([]);
    await rig.send('PATCH', `${org}/teams/${team}`, { body: { title: 'Exported' } });
    expect((await lines(String(cursor))).map(({ action }) => action)).toEqual(['team_renamed']);
    const page = (await rig.send('GET', `${org}/audit-events/export?limit=2&after=${String(all[0]?.['cursor'])}`)).body;
    expect(page.items).toEqual(all.slice(1, 3));
    expect(page).toMatchObject({ more: true, next: { page: all[2]?.['cursor'] } });
  });

  it('is exported to admins alone, and from no unknown cursor', async () => {
    const reader = await rig.member('Rita Reader', 'read');
    const status = async (query: string, token = admin.token) =>
      (await rig.send('GET', `${org}/audit-events/export${query}`, { token })).status;
    expect([await status('', reader.token), await status('?after=x'), await status('?limit=1001')]).toEqual([
      403, 400, 400,
    ]);
    expect(await status('?after=9223372036854775807')).toBe(400);
  });

  it('lists all actions that can appear in it', async () => {
    const { body } = await rig.send('GET', `${org}/audit-event-actions?limit=1000`);
    expect(body.items.map(({ id }) => id)).toEqual(publicActions);
    expect(body.items).toContainEqual({
      object: 'audit-event-action',
      id: 'saml_provider_created',
      target: { object: 'saml-provider' },
    });
    expect((await rig.send('GET', `${org}/audit-event-actions?limit=2`)).body).toMatchObject({
      count: publicActions.length,
      next: { page: expect.any(String) },
    });
  });

  it('contains tokens that somebody else creates for a member', async () => {
    const { body } = await rig.send('POST', '/users', {
      body: { email: 'bot@example.org', displayName: 'Bot', emailVerified: true, kind: 'service' },
    });
    await rig.send('POST', `${org}/invites`, { body: { emails: ['bot@example.org'], role: 'read' } });
    expect((await rig.send('POST', `/users/${String(body['id'])}/tokens`, { body: { label: 'ci' } })).status).toBe(201);
    const ofBot = `?action=member_token_issued&target=${String(body['id'])}`;
    await eventually(async () => (await list(ofBot)).count === 1);
    const [issued] = (await list(ofBot)).items;
    expect(issued).toMatchObject({
      source: 'support',
      actor: { id: rig.owner.id },
      target: { object: 'member', id: body['id'] },
    });
  });

  it('contains invitations and single sign-on providers, without addresses and labels', async () => {
    await rig.send('POST', `${org}/invites`, { body: { emails: ['not.yet.known@example.org'] } });
    const provider = await rig.send('POST', `${org}/saml`, { body: { label: 'Secret label' } });
    const { items } = await list('?limit=2');
    expect(items).toMatchObject([
      { action: 'saml_provider_created', target: { object: 'saml-provider', id: provider.body['id'] } },
      { action: 'invite_opened', target: { object: 'invite' } },
    ]);
    const stored = JSON.stringify(await rig.store.collection(auditEvents).find({}).toArray());
    for (const secret of ['not.yet.known', 'Secret label', 'Ada Admin', 'Editors'])
      expect(stored).not.toContain(secret);
  });

  it('contains changes that an admin makes without the enforced single sign-on', async () => {
    const settings = {
      label: 'Active',
      ssoURL: 'https://idp.example/sso',
      entityID: 'https://idp.example',
      certificate: someCertificate,
    };
    await rig.send('POST', `${org}/saml`, { body: settings });
    for (const sso of [true, false]) expect((await rig.send('PATCH', org, { body: { sso } })).status).toBe(200);
    expect((await list('?limit=3')).items).toMatchObject([
      {
        action: 'sso_recovery_used',
        actor: { id: rig.owner.id },
        target: { object: 'organization', id: rig.organization },
      },
      { action: 'organization_sso_enforcement_disabled' },
      { action: 'organization_sso_enforcement_enabled' },
    ]);
  });

  it('shows erased users without a name, and the installation as the system', async () => {
    const at = (actor: { kind: string; id: string }) => ({
      actor,
      organization: rig.organization,
      operation: 'spec',
      correlation: 'spec',
    });
    await rig.store
      .scope(at({ kind: 'user', id: 'gone' }))
      .handle(adminAlerts, rig.organization, () => recordToken({ user: 'u', token: 't' }));
    await rig.store
      .scope(at({ kind: 'system', id: 'reactor' }))
      .handle(adminAlerts, rig.organization, () => recordToken({ user: 'u', token: 't' }));
    await eventually(async () => (await list('?target=u')).count === 2);
    expect((await list('?target=u')).items).toMatchObject([
      { actor: { object: 'system', id: 'reactor' }, source: 'workflow' },
      { actor: { object: 'user', id: 'gone', displayName: 'Deleted user' } },
    ]);
  });

  it('is the same after a rebuild from the log', async () => {
    const { body } = await rig.send('POST', `/operator/identity/projections/${auditEvents.collection}/rebuild`);
    expect(body).toMatchObject({ equal: true });
  });
});
