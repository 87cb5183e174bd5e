import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startIdentityProvider } from '../../test/identity-provider.js';
import { metadataOver, ssoVisitor } from '../../test/sso-visitor.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { visitor } from '../../test/browser.js';
import { eventually, get, startRig, type Rig } from '../../test/rig-with-store.js';
import { user } from '../../accounts/users/user.js';
import { sweepCommand } from '../../attempts/sweep.timer.js';
import { users } from '../../organization-read-models/index.js';

const password = 'velvet-otter-lamp-91';

describe('an e-mailed sign-in link', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());

  const create = async (email: string, more: object = {}) =>
    String(
      (await rig.send('POST', '/users', { body: { email, displayName: 'Lea Link', emailVerified: true, ...more } }))
        .body['id'],
    );
  const ask = (email: string, body: object = {}) =>
    visitor(rig).send('POST', '/auth/email-link', { body: { email, ...body } });
  /** The one-time codes of the links that were sent to an address. */
  const codesSentTo = async (email: string) =>
    (await rig.mailTo(email)).flatMap((mail) => /sign-in\/link\?link=(\w+)/.exec(mail)?.[1] ?? []);
  const sent = async (email: string, number = 1): Promise<string> => {
    await eventually(async () => (await codesSentTo(email)).length >= number);
    return (await codesSentTo(email)).at(-1) ?? '';
  };
  const open = async (link: string, more: object = {}) => {
    const one = visitor(rig);
    return { one, answer: await one.send('POST', '/auth/login', { body: { link, ...more } }) };
  };

  it('signs in once', async () => {
    await create('lea@example.org');
    expect((await ask('LEA@example.org')).body).toEqual({});
    const link = await sent('lea@example.org');
    const both = await Promise.all([open(link), open(link)]);
    expect(both.map(({ answer }) => answer.status).sort()).toEqual([200, 401]);
    expect((await open(link)).answer.status).toBe(401);
    const { one } = both.find(({ answer }) => answer.status === 200) ?? both[0];
    expect((await one.send('GET', '/auth/session')).body).toMatchObject({ method: 'link', password: false });
  });

  it('does not reveal whether an address is known, and is sent only to known addresses', async () => {
    const answers = [await ask('lea@example.org'), await ask('unknown@example.org')];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, {}],
      [200, {}],
    ]);
    await sent('lea@example.org', 2);
    expect(await rig.mailTo('unknown@example.org')).toEqual([]);
  });

  it('expires after 15 minutes, and when another link of the same person is used', async () => {
    await create('late@example.org');
    await ask('late@example.org');
    const [old] = [await sent('late@example.org')];
    const links = rig.store.database.collection<{ _id: string; expiresAt: number }>('op_sign_in_links');
    const left = (await links.findOne({ _id: old.split('_')[0] ?? '' }))?.expiresAt ?? 0;
    expect([left > Date.now() + 13 * 60_000, left <= Date.now() + 15 * 60_000]).toEqual([true, true]);
    await links.updateOne({ _id: old.split('_')[0] ?? '' }, { $set: { expiresAt: Date.now() } });
    expect((await open(old)).answer.status).toBe(401);
    await ask('late@example.org');
    const one = await sent('late@example.org', 2);
    await ask('late@example.org');
    const two = await sent('late@example.org', 3);
    expect((await open(two === one ? one : two)).answer.status).toBe(200);
    expect((await open(one)).answer.status).toBe(401);
    for (const wrong of ['', 'x', `${two.slice(0, -1)}0`, 'x'.repeat(300)])
      expect((await open(wrong)).answer.status).toBeGreaterThanOrEqual(400);
  });

  it('can be requested three times, then only after a wait', async () => {
    const answers = [];
    for (let i = 0; i < 5; i += 1) answers.push((await ask('often@example.org')).status);
    expect(answers).toEqual([200, 200, 200, 429, 429]);
  });

  it('verifies the address and accepts the invitations that wait for it', async () => {
    const id = await create('vera@example.org', { emailVerified: false });
    expect(
      (
        await rig.send('POST', `/orgs/${rig.organization}/invites`, {
          body: { emails: ['vera@example.org'], role: 'read' },
        })
      ).body,
    ).toMatchObject({ invited: 1 });
    await ask('vera@example.org');
    expect((await open(await sent('vera@example.org'))).answer.status).toBe(200);
    expect(await rig.store.load(user, id)).toMatchObject({ emailVerified: true });
    await eventually(async () => (await rig.send('GET', `/orgs/${rig.organization}/members/${id}`)).status === 200);
    const twin = await rig.send('POST', '/users', {
      body: { email: 'vera@example.org', displayName: 'Twin', emailVerified: true },
    });
    expect(twin.body.error.reason).toBe('already_exists');
  });

  it('signs in to the account that the person created, not to one that a provider created with their address', async () => {
    const idp = await startIdentityProvider(metadataOver(rig));
    const stranger = await rig.person('Founding Stranger');
    const { body } = await rig.send('POST', '/orgs', { token: stranger.token, body: { title: 'Elsewhere' } });
    const asStranger = async (method: string, path: string, change: object) =>
      String(
        (await rig.send(method, `/orgs/${String(body['id'])}${path}`, { token: stranger.token, body: change })).body[
          'id'
        ],
      );
    const provider = await asStranger('POST', '/saml', { label: 'Other', ...idp.settings, defaultRole: 'edit' });
    await asStranger('PATCH', '', { sso: true });
    // Nobody has these addresses when the provider asserts them.
    const [late, invited] = ['late.owner@example.org', 'late.invited@example.org'];
    for (const email of [late, invited])
      expect((await ssoVisitor(rig, idp).signInThrough(provider, { email })).status).toBe(302);
    const own = await create(late, { emailVerified: false });
    await ask(late);
    expect(get((await open(await sent(late))).answer.body, 'user.id')).toBe(own);
    // The invitations of a person without another account are accepted before their sign-in is checked for being
    // closed.
    await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [invited], role: null } });
    await ask(invited);
    const { answer } = await open(await sent(invited));
    expect(answer.status).toBe(200);
    const id = String(get(answer.body, 'user.id'));
    expect((await rig.send('GET', `/orgs/${rig.organization}/members/${id}`)).status).toBe(200);
    await idp.stop();
  });

  it('creates the account of an invited person', async () => {
    const email = 'ines@example.org';
    await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [email], role: 'edit' } });
    await eventually(async () =>
      (await rig.mailTo(email)).some((mail) => mail.includes('Its admins call it "First Organization".')),
    );
    await ask(email);
    const { answer } = await open(await sent(email), { displayName: 'Ines Invited' });
    expect(answer.body).toMatchObject({ user: { displayName: 'Ines Invited', email } });
    const id = String(get(answer.body, 'user.id'));
    await eventually(
      async () => get((await rig.send('GET', `/orgs/${rig.organization}/members/${id}`)).body, 'role') === 'edit',
    );
  });

  it('is preceded by at most three invitation mails when the same invitation is repeated', async () => {
    const email = 'again@example.org';
    const mails = async () => (await rig.mailTo(email)).length;
    for (const number of [1, 2, 3]) {
      await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [email], role: 'edit' } });
      await eventually(async () => (await mails()) === number);
    }
    for (let i = 0; i < 3; i += 1)
      await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [email], role: 'edit' } });
    await ask(email);
    await sent(email);
    expect(await mails()).toBe(4);
  });

  it('is preceded by at most three invitation mails when each invitation has another role', async () => {
    const email = 'changing@example.org';
    const invite = (role: string, more: string[] = []) =>
      rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [email, ...more], role } });
    const mails = async () => (await rig.mailTo(email)).length;
    for (const [number, role] of ['read', 'edit', 'read'].entries()) {
      await invite(role);
      await eventually(async () => (await mails()) === number + 1);
    }
    for (const role of ['edit', 'read', 'edit']) await invite(role);
    // No mail job is left, so only the link is sent after the third mail.
    const waiting = { 'data.errand.about': 'invite' };
    await eventually(async () => (await rig.store.database.collection('op_timers').countDocuments(waiting)) === 0);
    await ask(email);
    await sent(email);
    expect(await mails()).toBe(4);
  });

  it('is offered by an invitation mail, which shows the title of the organization in quotation marks and shortened', async () => {
    const title = `Your account is locked "now". Go to https://evil.example/unlock ${'x'.repeat(60)}`;
    const { body } = await rig.send('POST', '/orgs', { body: { title } });
    const email = 'misled@example.org';
    await rig.send('POST', `/orgs/${String(body['id'])}/invites`, { body: { emails: [email] } });
    await eventually(async () => (await rig.mailTo(email)).length === 1);
    const [mail = ''] = await rig.mailTo(email);
    expect(mail).toContain('call it "Your account is locked now . Go to https://evil.example/unl=E2=80=A6". Sign');
  });

  it('allows a new password without the old one for 15 minutes', async () => {
    const email = 'reset@example.org';
    await create(email, { password });
    await ask(email, { purpose: 'password' });
    await eventually(async () =>
      (await rig.mailTo(email)).some((mail) => mail.includes('Subject: Set a new password')),
    );
    const { one } = await open(await sent(email));
    const next = 'marble-canyon-thistle-7';
    expect((await one.send('PUT', '/auth/password', { body: { password: next } })).status).toBe(204);
    expect((await visitor(rig).send('POST', '/auth/login', { body: { email, password: next } })).status).toBe(200);
    await rig.store.database
      .collection('op_sessions')
      .updateMany({}, { $set: { createdAt: Date.now() - 16 * 60_000 } });
    expect((await one.send('PUT', '/auth/password', { body: { password } })).status).toBe(400);
  });

  it('is stored in files that only their owner can read, and in no database', async () => {
    const email = 'quiet@example.org';
    await create(email);
    await ask(email);
    const link = await sent(email);
    const folder = join(rig.config.DATA_DIR, 'outbox');
    const modes = await Promise.all(
      [folder, ...(await readdir(folder)).map((file) => join(folder, file))].map(
        async (path) => (await stat(path)).mode & 0o777,
      ),
    );
    expect([modes[0], ...new Set(modes.slice(1))]).toEqual([0o700, 0o600]);
    for (const { collectionName } of await rig.store.database.collections()) {
      const text = JSON.stringify(await rig.store.database.collection(collectionName).find().toArray());
      expect([
        collectionName,
        text.includes(link),
        text.includes(email) && collectionName !== users.collection,
      ]).toEqual([collectionName, false, false]);
    }
  });

  it('is removed by the sweep with password and sessions when its person no longer exists', async () => {
    const email = 'gone@example.org';
    const id = await create(email, { password });
    await visitor(rig).send('POST', '/auth/login', { body: { email, password } });
    await ask(email);
    await rig.store.erase(user, id);
    await rig.store.database.collection<{ _id: string }>(users.collection).deleteOne({ _id: id });
    const timers = rig.store.database.collection<{ _id: string; at: number; due: number }>('op_timers');
    const at = Date.now();
    await timers.updateOne({ _id: sweepCommand }, { $set: { at, due: at } });
    const left = async () => {
      const in_ = (name: string, filter: object) => rig.store.database.collection(name).countDocuments(filter);
      return (
        (await in_('op_passwords', { _id: id })) +
        (await in_('op_sessions', { user: id })) +
        (await in_('op_sign_in_links', { user: id }))
      );
    };
    await eventually(async () => (await left()) === 0);
    expect(await rig.store.database.collection('op_passwords').countDocuments()).toBeGreaterThan(0);
  });
});
