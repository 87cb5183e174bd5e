import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStore } from '@scriptorium/event-sourcing';
import { newId, parseKeyring } from '@scriptorium/platform';
import { get, startRig, type Rig } from '../../test/rig.js';
import { specCommand, specScope } from '../../test/scope.js';
import { createOrganizationWithHostname, openRoster } from './create-organization.process.js';
import { hostnames } from './hostnames.reservation.js';

describe('organizations', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(() => rig.stop());

  it('are created with default settings and a hostname of their own', async () => {
    const { status, body, headers } = await rig.send('POST', '/orgs', {
      body: { title: 'Acme', emailDomains: ['ACME.example', 'acme.example'] },
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`https://docs.example/v1/orgs/${String(body['id'])}`);
    expect(body).toMatchObject({
      object: 'organization',
      title: 'Acme',
      hostname: 'acme',
      emailDomains: ['acme.example'],
      type: 'business',
      defaultRole: null,
      sso: false,
      ai: true,
      inviteLinks: true,
      mergeRules: { type: 'rules', rules: [] },
      permissions: { admin: true, listMembers: true },
    });
    const second = await rig.send('POST', '/orgs', { body: { title: 'ACME' } });
    expect(second.body['hostname']).toBe('acme-2');
  });

  it('are recorded with their first member, also when the reactor was faster than the request', async () => {
    const { NAMESPACE: namespace, EVENTSTORE_URL: eventstoreUrl, MONGODB_URL: mongoUrl, SECRET_KEYS } = rig.config;
    const reservations = { key: parseKeyring(SECRET_KEYS).reservation, kinds: [hostnames] };
    const store = createStore({ service: 'identity', namespace, eventstoreUrl, mongoUrl, reservations });
    const [id, creator] = [newId(), rig.owner.id];
    const scope = () => specScope(store.scope(specCommand(creator, id)), store, SECRET_KEYS);
    const { position } = await openRoster(scope(), { organization: id, creator });
    const request = scope();
    await createOrganizationWithHostname(request, { id, title: 'Overtaken', emailDomains: [], creator });
    // Other services are waited for by these types.
    const { positions } = request.store.recorded() ?? {};
    expect(['RosterOpened', 'MemberJoined'].map((type) => positions?.get(type))).toEqual([position, position]);
    await store.stop();
  });

  it('are refused without a title, with a title that is too short, or with a public mail domain', async () => {
    expect((await rig.send('POST', '/orgs', { body: {} })).body.error.details).toMatchObject([{ path: 'body.title' }]);
    expect((await rig.send('POST', '/orgs', { body: { title: 'Mail', emailDomains: ['gmail.com'] } })).status).toBe(
      400,
    );
    expect((await rig.send('POST', '/orgs', { body: { title: 'x' } })).status).toBe(400);
  });

  it('get a hostname once when fifty requests ask for it at the same time', async () => {
    const founded = await Promise.all(
      Array.from({ length: 10 }, (_, i) => rig.send('POST', '/orgs', { body: { title: `Racer ${i}` } })),
    );
    const ids = founded.map(({ body }) => String(body['id']));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        rig.send('PATCH', `/orgs/${ids[i % 10] ?? ''}`, { body: { hostname: 'the-prize' } }),
      ),
    );
    const winners = new Set(answers.flatMap(({ status, body }) => (status === 200 ? [body['id']] : [])));
    expect(winners.size).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const held = await Promise.all(ids.map((id) => rig.send('GET', `/orgs/${id}`)));
    expect(held.filter(({ body }) => body['hostname'] === 'the-prize')).toHaveLength(1);
  }, 60_000);

  it('free their old hostname when they take another', async () => {
    const one = await rig.send('POST', '/orgs', { body: { title: 'Mover' } });
    const two = await rig.send('POST', '/orgs', { body: { title: 'Follower' } });
    const take = (id: unknown, hostname: string) => rig.send('PATCH', `/orgs/${String(id)}`, { body: { hostname } });
    const taken = await take(two.body['id'], 'mover');
    expect([taken.status, taken.body.error.reason]).toEqual([409, 'already_exists']);
    expect((await take(one.body['id'], 'moved')).status).toBe(200);
    expect((await take(two.body['id'], 'mover')).body['hostname']).toBe('mover');
  });

  it('can change and clear their settings', async () => {
    const { body } = await rig.send('POST', '/orgs', { body: { title: 'Changing' } });
    const path = `/orgs/${String(body['id'])}`;
    const change = {
      title: 'Changed',
      defaultRole: 'read',
      logo: 'https://cdn.example/logo.png',
      ai: false,
      inviteLinks: false,
      emailDomains: ['changed.example'],
      mergeRules: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
    };
    const changed = await rig.send('PATCH', path, { body: change });
    const { logo, ...settings } = change;
    expect(changed.body).toMatchObject({ ...settings, urls: { logo } });
    const cleared = await rig.send('PATCH', path, {
      body: { logo: null, defaultRole: null, mergeRules: { type: 'none' } },
    });
    expect(cleared.body).toMatchObject({ defaultRole: null, mergeRules: { type: 'rules', rules: [] } });
    expect(cleared.body['urls']).not.toHaveProperty('logo');
    expect((await rig.send('GET', path)).body).toEqual(cleared.body);
  });

  it('refuse settings that are invalid, with a reason', async () => {
    const path = `/orgs/${rig.organization}`;
    const reasonOf = async (body: object) => (await rig.send('PATCH', path, { body })).body.error.reason;
    expect(await reasonOf({ sso: true })).toBe('sso_unavailable');
    expect(await reasonOf({ defaultContent: { type: 'site', site: 'nosite' } })).toBe('default_content_invalid');
    expect(await reasonOf({ hostname: 'A' })).toBe('invalid_request');
    expect(await reasonOf({ title: null })).toBe('invalid_request');
    const rules = (rule: object) => ({ mergeRules: { type: 'rules', rules: [rule] } });
    expect(await reasonOf(rules({ rule: 'require_specific_reviewers', users: ['nobody'] }))).toBe('invalid_request');
    expect(await reasonOf(rules({ rule: 'custom', expression: 'changeRequest.(' }))).toBe('condition_invalid');
    expect(await reasonOf({ emailDomains: ['not a domain'] })).toBe('invalid_request');
    const reader = await rig.member('Rea Der', 'read');
    expect((await rig.send('PATCH', path, { token: reader.token, body: { title: 'Mine' } })).status).toBe(403);
  });

  it('keep their hostname when an earlier change is repeated with its idempotency key', async () => {
    const { body: moving } = await rig.send('POST', '/orgs', { body: { title: 'Moving' } });
    const { body: other } = await rig.send('POST', '/orgs', { body: { title: 'Other' } });
    const move = (hostname: string, key: string) =>
      rig.send('PATCH', `/orgs/${String(moving['id'])}`, { body: { hostname }, headers: { 'idempotency-key': key } });
    await move('first-place', 'one');
    await move('second-place', 'two');
    const again = await move('first-place', 'one');
    expect([again.headers.get('idempotency-replayed'), again.body['hostname']]).toEqual(['true', 'first-place']);
    expect((await rig.send('GET', `/orgs/${String(moving['id'])}`)).body).toMatchObject({ hostname: 'second-place' });
    const taken = await rig.send('PATCH', `/orgs/${String(other['id'])}`, { body: { hostname: 'second-place' } });
    expect(taken.body.error.reason).toBe('already_exists');
  });

  it('neither get nor choose a reserved hostname', async () => {
    const { body: made } = await rig.send('POST', '/orgs', { body: { title: 'Admin' } });
    expect(made).toMatchObject({ hostname: 'admin-2' });
    const refused = await rig.send('PATCH', `/orgs/${String(made['id'])}`, { body: { hostname: 'www' } });
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { reason: 'already_exists', details: [{ path: 'body.hostname' }] },
    ]);
  });

  it('are listed to their members by title', async () => {
    const owner = await rig.person('Lister');
    for (const title of ['zeta', 'Alpha', 'beta'])
      await rig.send('POST', '/orgs', { token: owner.token, body: { title } });
    const { body } = await rig.send('GET', '/orgs?limit=2', { token: owner.token });
    expect(body.items.map((item) => item['title'])).toEqual(['Alpha', 'beta']);
    const rest = await rig.send('GET', `/orgs?limit=2&page=${encodeURIComponent(String(get(body, 'next.page')))}`, {
      token: owner.token,
    });
    expect(rest.body.items.map((item) => item['title'])).toEqual(['zeta']);
    expect(rest.body).not.toHaveProperty('next');
  });

  it('do not exist for strangers', async () => {
    const stranger = await rig.person('Strange One');
    expect((await rig.send('GET', `/orgs/${rig.organization}`, { token: stranger.token })).status).toBe(404);
    expect((await rig.send('GET', '/orgs/nowhere')).status).toBe(404);
  });
});
