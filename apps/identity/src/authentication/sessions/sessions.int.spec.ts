import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGateway } from '@scriptorium/gateway';
import { gatewayDefaults } from '@scriptorium/testing/own-rig';
import { visitor, type Visitor } from '../../test/browser.js';
import { eventually, get, startRig, type Rig } from '../../test/rig-with-store.js';
import type { SessionDocument } from '../../accounts/sessions/sessions.operational.js';

const password = 'velvet-otter-lamp-91';
const email = 'sam@example.org';
const hour = 3_600_000;

describe('a session', () => {
  let rig: Rig;
  let person: string;
  beforeAll(async () => {
    rig = await startRig();
    const made = await rig.send('POST', '/users', {
      body: { email, displayName: 'Sam Session', emailVerified: true, password },
    });
    person = String(made.body['id']);
  }, 60_000);
  afterAll(() => rig.stop());

  const signedIn = async (): Promise<Visitor> => {
    const one = visitor(rig);
    expect((await one.send('POST', '/auth/login', { body: { email, password } })).status).toBe(200);
    return one;
  };
  const kept = () => rig.store.database.collection<SessionDocument>('op_sessions');
  const idOf = (one: Visitor) => one.cookie().slice('scr_ses_'.length, 'scr_ses_'.length + 20);
  const status = async (one: Visitor, method = 'GET', path = '/auth/session') => (await one.send(method, path)).status;
  /** Changes the stored session, for example to make it older. */
  const changeStored = (id: string, fields: Partial<SessionDocument>) =>
    kept().updateOne({ _id: id }, { $set: fields });
  /** Makes the gateway drop its cached principals of the person, by ending another session of theirs. */
  const dropCachedPrincipals = async (): Promise<void> => {
    const other = await signedIn();
    const cookie = other.cookie();
    await other.send('POST', '/auth/logout');
    // The gateway hears of it a moment later: then it has dropped what it knew of the person.
    other.keep(cookie);
    await eventually(async () => (await status(other)) === 401);
  };

  it('can be used for session and token operations and for nothing else', async () => {
    const one = await signedIn();
    for (const path of ['/auth/session', '/user/sessions', '/user/tokens'])
      expect(await status(one, 'GET', path)).toBe(200);
    for (const path of ['/user', '/orgs', `/users/${person}`]) expect(await status(one, 'GET', path)).toBe(401);
    const made = await one.send('POST', '/user/tokens', { body: { label: 'by session' } });
    expect(made.status).toBe(201);
    expect((await rig.send('GET', '/user', { token: String(made.body['token']) })).body['id']).toBe(person);
    expect((await rig.send('GET', '/auth/session', { token: one.cookie() })).status).toBe(401);
    expect((await rig.send('GET', '/auth/session', { token: String(made.body['token']) })).status).toBe(403);
    expect((await rig.send('POST', `/users/${person}/tokens`, { body: { label: 'x' } })).status).toBe(403);
  });

  it('is accepted only from pages of the installation itself', async () => {
    const one = await signedIn();
    const from = (method: string, headers: Record<string, string>, path = '/auth/session') =>
      rig.send(method, path, {
        token: null,
        headers: { cookie: `scriptorium_session=${one.cookie()}`, ...headers },
        ...(method === 'POST' ? { body: { label: 'x' } } : {}),
      });
    expect((await from('GET', {})).status).toBe(200);
    expect((await from('GET', { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      expect((await from('GET', headers as Record<string, string>)).body.error.reason).toBe('forbidden');
    }
    for (const headers of [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://docs.example.evil' },
    ]) {
      expect((await from('POST', headers as Record<string, string>, '/user/tokens')).body.error.reason).toBe(
        'forbidden',
      );
    }
    // A page of another origin cannot sign anybody out either.
    expect((await from('POST', { origin: 'https://evil.example' }, '/auth/logout')).status).toBe(403);
    expect(await status(one)).toBe(200);
  });

  it('is stored only as a hash', async () => {
    const one = await signedIn();
    const secret = one.cookie().slice(-43);
    for (const { collectionName } of await rig.store.database.collections()) {
      expect(JSON.stringify(await rig.store.database.collection(collectionName).find().toArray())).not.toContain(
        secret,
      );
    }
    const forged = visitor(rig);
    forged.keep(`scr_ses_${idOf(one)}_${'0'.repeat(43)}`);
    expect(await status(forged)).toBe(401);
    expect(await status(one)).toBe(200);
  });

  it('can be listed and ended by its owner, and ends on every gateway when its end is announced', async () => {
    const [one, two] = [await signedIn(), await signedIn()];
    const other = await createGateway({
      ...gatewayDefaults,
      namespace: rig.config.NAMESPACE,
      natsUrl: rig.config.NATS_URL,
    });
    const there = async () => {
      const headers = { cookie: `scriptorium_session=${two.cookie()}` };
      return (await fetch(`${other.address}/v1/auth/session`, { headers })).status;
    };
    try {
      await eventually(async () => (await there()) === 200);
      const { body } = await one.send('GET', '/user/sessions?limit=1');
      expect([body.items.length, Number(body['count']) >= 2]).toEqual([1, true]);
      const next = await one.send('GET', `/user/sessions?limit=1&page=${String(get(body, 'next.page'))}`);
      expect(next.body.items[0]).toMatchObject({ object: 'session', id: idOf(one), current: true, method: 'password' });
      expect(await status(one, 'DELETE', `/user/sessions/${idOf(two)}`)).toBe(205);
      await eventually(async () => (await there()) === 401);
      await eventually(async () => (await status(two)) === 401);
      expect(await status(one, 'DELETE', `/user/sessions/${idOf(two)}`)).toBe(204);
      const stranger = await rig.person('Stranger');
      expect((await rig.send('DELETE', `/user/sessions/${idOf(one)}`, { token: stranger.token })).status).toBe(204);
      expect(await status(one)).toBe(200);
    } finally {
      await other.stop();
    }
  });

  it('ends when its user signs out, and signing out without a session succeeds too', async () => {
    const one = await signedIn();
    const cookie = one.cookie();
    const out = await one.send('POST', '/auth/logout');
    expect([out.status, one.cookie(), out.headers.get('set-cookie')]).toEqual([
      200,
      '',
      expect.stringContaining('Max-Age=0'),
    ]);
    one.keep(cookie);
    await eventually(async () => (await status(one)) === 401);
    expect((await visitor(rig).send('POST', '/auth/logout')).status).toBe(200);
  });

  it('gets a new secret once a day, and the old secret works until the new one is used', async () => {
    const one = await signedIn();
    const [id, old] = [idOf(one), one.cookie()];
    await changeStored(id, { renewedAt: Date.now() - 25 * hour });
    await dropCachedPrincipals();
    expect(await status(one)).toBe(200);
    const renewed = one.cookie();
    expect(renewed).not.toBe(old);
    one.keep(old);
    expect(await status(one)).toBe(200);
    one.keep(renewed);
    expect(await status(one)).toBe(200);
  });

  it('ends when a replaced secret is used again, because somebody else has it', async () => {
    const one = await signedIn();
    const [id, old] = [idOf(one), one.cookie()];
    await changeStored(id, { renewedAt: Date.now() - 25 * hour });
    await dropCachedPrincipals();
    await status(one);
    const renewed = one.cookie();
    await dropCachedPrincipals();
    expect(await status(one)).toBe(200);
    await changeStored(id, { confirmedAt: Date.now() - 2 * 60_000 });
    await dropCachedPrincipals();
    one.keep(old);
    expect(await status(one)).toBe(401);
    one.keep(renewed);
    await eventually(async () => (await status(one)) === 401);
  });

  it('ends after 30 days', async () => {
    const one = await signedIn();
    expect((await one.send('GET', '/auth/session')).body['expiresAt']).toBe(
      new Date((await kept().findOne({ _id: idOf(one) }))?.expiresAt ?? 0).toISOString(),
    );
    await changeStored(idOf(one), { expiresAt: Date.now() - 1 });
    await dropCachedPrincipals();
    expect(await status(one)).toBe(401);
  });

  it('ends when its user begins one more than 50 and it is the oldest', async () => {
    const first = await signedIn();
    const before = Date.now() - 40 * hour;
    const copy = await kept().findOne({ _id: idOf(first) });
    await kept().insertMany(
      Array.from(
        { length: 60 },
        (_, i) => ({ ...copy, _id: `old${i}`, createdAt: before + i, user: person }) as SessionDocument,
      ),
    );
    const last = await signedIn();
    expect(await kept().countDocuments({ user: person })).toBe(50);
    expect(await status(last)).toBe(200);
  });
});
