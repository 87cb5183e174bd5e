import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findPassword } from '../../authentication/passwords/passwords.operational.js';
import { eventually, startRig, type Rig } from '../../test/rig-with-store.js';

describe('users', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(() => rig.stop());

  it('can read their own profile and address', async () => {
    const { status, body } = await rig.send('GET', '/user');
    expect([status, body['id'], body['email']]).toEqual([200, rig.owner.id, rig.owner.email]);
    expect((await rig.send('GET', '/user', { token: null })).status).toBe(401);
  });

  it('are created by the first request of an idempotency key, and another request with that key is refused without effect', async () => {
    const make = (more: object) =>
      rig.send('POST', '/users', {
        body: { email: rig.email('keyed'), displayName: 'Keyed', ...more },
        headers: { 'idempotency-key': 'person' },
      });
    const { body } = await make({});
    expect((await make({ password: 'velvet-otter-lamp-91' })).status).toBe(422);
    expect(await findPassword(rig.store, String(body['id']))).toBeNull();
  });

  it('are created by operators alone, one for each verified address', async () => {
    const body = { email: 'Nina@Example.NET', displayName: 'Nina', emailVerified: true };
    const created = await rig.send('POST', '/users', { body });
    expect([created.status, created.body['email']]).toEqual([201, 'nina@example.net']);
    const again = await rig.send('POST', '/users', { body: { ...body, email: 'NINA@example.net' } });
    expect([again.status, again.body.error.reason]).toEqual([409, 'already_exists']);
    const unverified = { ...body, emailVerified: false };
    const second = await rig.send('POST', '/users', { body: unverified });
    expect([second.status, second.body.error.reason, second.body.error.details?.[0]?.path]).toEqual([
      409,
      'already_exists',
      'body.email',
    ]);
    const other = await rig.person('No Operator');
    expect((await rig.send('POST', '/users', { token: other.token, body: unverified })).status).toBe(403);
    expect(
      (await rig.send('POST', '/users', { body: { email: 'x', displayName: '' } })).body.error.details?.map(
        ({ path }) => path,
      ),
    ).toEqual(['body.email', 'body.displayName']);
  });

  it('can change their own profile and no other', async () => {
    const ann = await rig.person('Ann Profile');
    const path = `/users/${ann.id}`;
    const changed = await rig.send('PATCH', path, {
      token: ann.token,
      body: { displayName: 'Anna', photoURL: 'https://x.example/a.png' },
    });
    expect(changed.body).toMatchObject({ displayName: 'Anna', photoURL: 'https://x.example/a.png' });
    const cleared = await rig.send('PATCH', path, { token: ann.token, body: { photoURL: null } });
    expect(cleared.body).not.toHaveProperty('photoURL');
    expect((await rig.send('PATCH', path, { body: { displayName: 'Hacked' } })).status).toBe(403);
    expect(
      (await rig.send('PATCH', path, { token: ann.token, body: { photoURL: 'javascript:alert(1)' } })).status,
    ).toBe(400);
    expect((await rig.send('PATCH', '/users/nobody', { body: { displayName: 'X' } })).status).toBe(404);
  });

  it('show their address only to members of a shared organization', async () => {
    const insider = await rig.member('In Sider', 'read');
    const outsider = await rig.person('Out Sider');
    const emailFor = async (token: string) => (await rig.send('GET', `/users/${insider.id}`, { token })).body['email'];
    expect(await emailFor(rig.owner.token)).toBe(insider.email);
    expect(await emailFor(outsider.token)).toBeUndefined();
    expect((await rig.send('GET', '/users/nobody')).status).toBe(404);
  });
});

describe('personal tokens', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(() => rig.stop());

  it('show their secret once, are listed without it, and stop working when they are revoked', async () => {
    const created = await rig.send('POST', '/user/tokens', { body: { label: 'ci' } });
    expect(created.status).toBe(201);
    const token = String(created.body['token']);
    expect(token).toMatch(/^scr_pat_[0-9A-Za-z]{8}_[0-9A-Za-z]{46}$/);
    expect((await rig.send('GET', '/user', { token })).status).toBe(200);
    const listed = await rig.send('GET', '/user/tokens');
    expect(listed.body.items[0]).toMatchObject({ id: created.body['id'], label: 'ci' });
    expect(JSON.stringify(listed.body)).not.toContain(token);
    expect((await rig.send('DELETE', `/user/tokens/${String(created.body['id'])}`)).status).toBe(205);
    expect((await rig.send('DELETE', `/user/tokens/${String(created.body['id'])}`)).status).toBe(204);
    const refused = await rig.send('GET', '/user', { token });
    expect([refused.status, refused.body.error.message, refused.headers.get('www-authenticate')]).toEqual([
      401,
      'Invalid token',
      'Bearer',
    ]);
  });

  it('are created once for an idempotency key, and a repeated request does not show the secret again', async () => {
    const make = () =>
      rig.send('POST', '/user/tokens', { body: { label: 'once' }, headers: { 'idempotency-key': 'k' } });
    const [first, again] = [await make(), await make()];
    expect([again.status, again.body['id']]).toEqual([201, first.body['id']]);
    expect(first.body).toHaveProperty('token');
    expect(again.body).not.toHaveProperty('token');
  });

  it('allow nothing beyond their scopes', async () => {
    const { body } = await rig.send('POST', '/user/tokens', { body: { label: 'narrow', scopes: ['user:read'] } });
    const token = String(body['token']);
    expect((await rig.send('GET', '/user', { token })).status).toBe(200);
    expect((await rig.send('GET', '/orgs', { token })).status).toBe(403);
    expect((await rig.send('POST', '/user/tokens', { token, body: { label: 'more' } })).status).toBe(403);
  });

  it('stop working when they expire', async () => {
    const past = await rig.send('POST', '/user/tokens', {
      body: { label: 'x', expiresAt: '2020-01-01T00:00:00.000Z' },
    });
    expect([past.status, past.body.error.details?.[0]?.path]).toEqual([400, 'body.expiresAt']);
    const far = await rig.send('POST', '/user/tokens', {
      body: { label: 'y', expiresAt: '2999-01-01T00:00:00-02:00' },
    });
    expect(far.body['expiresAt']).toBe('2999-01-01T02:00:00.000Z');
    const expiresAt = new Date(Date.now() + 5_000).toISOString();
    const { body } = await rig.send('POST', '/user/tokens', { body: { label: 'short', expiresAt } });
    const token = String(body['token']);
    expect((await rig.send('GET', '/user', { token })).status).toBe(200);
    await eventually(async () => (await rig.send('GET', '/user', { token })).status === 401);
  });

  it('are created by operators any number of times for service accounts, and once for people', async () => {
    const service = await rig.send('POST', '/users', {
      body: { email: rig.email('bot'), displayName: 'Bot', kind: 'service' },
    });
    const path = `/users/${String(service.body['id'])}/tokens`;
    expect((await rig.send('POST', path, { body: { label: '1' } })).status).toBe(201);
    expect((await rig.send('POST', path, { body: { label: '2' } })).status).toBe(201);
    const person = await rig.person('Has Token');
    expect((await rig.send('POST', `/users/${person.id}/tokens`, { body: { label: '2' } })).status).toBe(403);
    expect((await rig.send('POST', path, { token: person.token, body: { label: '3' } })).status).toBe(403);
    expect((await rig.send('POST', '/users/nobody/tokens', { body: { label: '1' } })).status).toBe(404);
  });

  it('show when they were last used', async () => {
    const usedAt = async () => (await rig.send('GET', '/user/tokens')).body.items[0]?.['lastUsedAt'];
    await eventually(async () => (await usedAt()) !== undefined);
    expect(await usedAt()).toMatch(/^\d{4}-/);
  });
});
