import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { lookupUsers } from '@scriptorium/contracts';
import { connectMessaging } from '@scriptorium/messaging';
import { parseKeyring, projectionsOf } from '@scriptorium/platform';
import { identity } from '../service.js';
import { installation, installationId, recordOperatorLeft } from '../accounts/users/installation.js';
import { invitee } from '../organizations/invitations/invitee.js';
import { pendingInvites } from '../organizations/invitations/pending-invite.projection.js';
import { inviteeId } from '../organizations/invitations/send-invite.process.js';
import { members } from '../organization-read-models/member.projection.js';
import { visitor } from '../test/browser.js';
import { eventually, get, startRig, type Person, type Rig } from '../test/own-rig.js';
import { beginErasure, erasure } from '../accounts/users/erasure.js';

const password = 'velvet-otter-lamp-91';

describe('erasing a person', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
    await rig.replica();
  }, 60_000);
  afterAll(() => rig.stop());

  const eraseSelf = (token: string, more: object = {}) => rig.send('DELETE', '/user', { token, ...more });
  const createOrganization = async (as: Person, title: string): Promise<string> =>
    String((await rig.send('POST', '/orgs', { token: as.token, body: { title } })).body['id']);
  const invite = (organization: string, token: string, emails: unknown[]) =>
    rig.send('POST', `/orgs/${organization}/invites`, { token, body: { emails } });
  const known = async (id: string) => (await rig.send('GET', `/users/${id}`)).status === 200;
  const parked = async () => (await rig.send('GET', '/operator/identity/parked-events')).body['count'];

  it('is allowed to the person with an unlimited token, and to operators', async () => {
    const [ann, bob] = [await rig.person('Ann Safe'), await rig.person('Bob Safe')];
    expect((await rig.send('DELETE', '/user', { token: null })).status).toBe(401);
    expect((await rig.send('DELETE', `/users/${ann.id}`, { token: null })).status).toBe(401);
    expect((await rig.send('DELETE', `/users/${ann.id}`, { token: bob.token })).body.error.reason).toBe('forbidden');
    expect((await rig.send('DELETE', `/users/${ann.id}`, { token: ann.token })).status).toBe(403);
    const limited = await rig.send('POST', '/user/tokens', {
      token: ann.token,
      body: { label: 'narrow', scopes: ['user:read'] },
    });
    expect((await eraseSelf(String(limited.body['token']))).body.error.reason).toBe('forbidden');
    expect((await rig.send('DELETE', '/users/nobody')).status).toBe(204);
    expect((await rig.send('DELETE', '/users/nobody', { token: bob.token })).status).toBe(204);
    expect((await eraseSelf(ann.token, { headers: { 'if-match': '"old"' } })).status).toBe(412);
    expect(await known(ann.id)).toBe(true);
  });

  it('is refused while an organization has no other admin or the installation has no other operator', async () => {
    const [ann, bob] = [await rig.person('Ann Alone'), await rig.person('Bob Beside')];
    const organizations = [await createOrganization(ann, 'Alone One'), await createOrganization(ann, 'Alone Two')];
    const shared = await createOrganization(ann, 'Shared');
    await invite(shared, ann.token, [{ email: bob.email, role: 'admin' }]);
    // An admin who has not accepted the membership does not count as another admin.
    expect((await eraseSelf(ann.token)).body.error.details).toHaveLength(3);
    await rig.send('POST', `/orgs/${shared}/ping`, { token: bob.token });
    const refused = await eraseSelf(ann.token);
    expect([refused.status, refused.body.error.reason]).toEqual([409, 'last_admin']);
    expect(refused.body.error.details).toEqual(
      expect.arrayContaining([
        { path: `organizations.${organizations[0]}`, message: 'Alone One would have no admin' },
        { path: `organizations.${organizations[1]}`, message: 'Alone Two would have no admin' },
      ]),
    );
    expect(refused.body.error.details).toHaveLength(2);
    const byOperator = await rig.send('DELETE', `/users/${ann.id}`);
    expect(byOperator.body.error.details?.map(({ path }) => path)).toHaveLength(2);
    expect(JSON.stringify(byOperator.body)).not.toContain('Alone One');
    // Nothing has changed: the memberships are there, and no erasure is recorded.
    expect((await rig.send('GET', '/orgs', { token: ann.token })).body['count']).toBe(3);
    expect(await rig.store.load(erasure, ann.id)).toEqual({ status: 'none' });
    const last = await eraseSelf(rig.owner.token);
    expect(last.body.error.details?.map(({ path }) => path)).toContain('installation');
    for (const id of organizations) await rig.send('DELETE', `/orgs/${id}`, { token: ann.token });
    expect((await eraseSelf(ann.token)).status).toBe(205);
    expect((await eraseSelf(bob.token)).body.error.details).toEqual([
      { path: `organizations.${shared}`, message: 'Shared would have no admin' },
    ]);
  });

  it('ends memberships, tokens, sessions, password and invitations at once, and frees the address', async () => {
    const email = 'ends.everywhere@example.org';
    const made = await rig.send('POST', '/users', {
      body: { email, displayName: 'Ends Everywhere', emailVerified: true, password },
    });
    const id = String(made.body['id']);
    const token = String((await rig.send('POST', `/users/${id}/tokens`, { body: { label: 'ends' } })).body['token']);
    const [session, stranger] = [visitor(rig), await rig.person('Ends Stranger')];
    expect((await session.send('POST', '/auth/login', { body: { email, password } })).status).toBe(200);
    const other = await createOrganization(stranger, 'Ends Other');
    for (const [organization, as] of [
      [rig.organization, rig.owner.token],
      [other, stranger.token],
    ] as const)
      await invite(organization, as, [{ email, role: 'edit' }]);
    const team = String(
      (await rig.send('PUT', `/orgs/${other}/teams`, { token: stranger.token, body: { title: 'Ends', members: [id] } }))
        .body['id'],
    );
    await invite(other, stranger.token, ['still.waits@example.org']);
    expect((await eraseSelf(token)).status).toBe(205);
    const answered: number[] = [];
    for (let i = 0; i < 20; i += 1) answered.push((await rig.send('GET', '/user', { token })).status);
    expect(answered).toEqual(Array.from({ length: 20 }, () => 401));
    expect((await session.send('GET', '/auth/session')).status).toBe(401);
    expect((await visitor(rig).send('POST', '/auth/login', { body: { email, password } })).status).toBe(401);
    expect((await rig.send('GET', `/users/${id}`)).status).toBe(404);
    for (const [organization, as] of [
      [rig.organization, rig.owner.token],
      [other, stranger.token],
    ] as const) {
      expect((await rig.send('GET', `/orgs/${organization}/members/${id}`, { token: as })).status).toBe(404);
    }
    expect((await rig.send('GET', `/orgs/${other}`, { token: stranger.token })).status).toBe(200);
    expect((await rig.send('GET', `/orgs/${other}/teams/${team}`, { token: stranger.token })).body['members']).toBe(0);
    expect(await rig.store.collection(pendingInvites).count({ email: 'still.waits@example.org' })).toBe(1);
    const heir = await rig.send('POST', '/users', { body: { email, displayName: 'Heir', emailVerified: true } });
    expect([heir.status, heir.body['id'] === id]).toEqual([201, false]);
    expect((await rig.send('GET', '/orgs', { token: stranger.token })).body['count']).toBe(1);
    expect(await rig.store.collection(members).count({ user: String(heir.body['id']) })).toBe(0);
    expect((await rig.send('DELETE', `/users/${id}`)).status).toBe(204);
    expect(await parked()).toBe(0);
  });

  it('revokes invitations to the address, whoever sent them', async () => {
    const email = 'waits.for@example.org';
    const made = await rig.send('POST', '/users', { body: { email, displayName: 'Waits For' } });
    const inviter = await rig.person('Waits Inviter');
    const organization = await createOrganization(inviter, 'Waiting Quotas');
    await invite(organization, inviter.token, [email, 'somebody.else@example.org']);
    expect((await rig.send('DELETE', `/users/${String(made.body['id'])}`)).status).toBe(205);
    expect(await rig.store.collection(pendingInvites).count({ email })).toBe(0);
    const keys = parseKeyring(rig.config.SECRET_KEYS);
    expect(await rig.store.load(invitee, inviteeId({ keys }, { organization, email }))).toEqual({ invite: null });
    // Invitations that a removed person sent stay. They contain only the id of the sender.
    await rig.send('DELETE', `/orgs/${organization}/members/${inviter.id}`, { token: inviter.token });
    expect(await rig.store.collection(pendingInvites).count({ email: 'somebody.else@example.org' })).toBe(1);
  });

  it('keeps invitations to an address that another user has verified', async () => {
    const email = 'disputed@example.org';
    const impostor = await rig.send('POST', '/users', { body: { email, displayName: 'Says So' } });
    const owner = await rig.person('Disputed');
    const inviter = await rig.person('Disputes Inviter');
    const organization = await createOrganization(inviter, 'Disputed');
    expect(owner.email).toBe(email);
    expect((await rig.send('DELETE', `/users/${String(impostor.body['id'])}`)).status).toBe(205);
    expect((await invite(organization, inviter.token, [email])).body['users']).toEqual([owner.id]);
    expect(
      (await rig.send('POST', '/users', { body: { email, displayName: 'Again', emailVerified: true } })).status,
    ).toBe(409);
  });

  it('happens once, and removes stored answers', async () => {
    const ann = await rig.person('Ann Once');
    const name = 'Ann Kept';
    await rig.send('PATCH', `/users/${ann.id}`, {
      token: ann.token,
      body: { displayName: name },
      headers: { 'idempotency-key': 'kept' },
    });
    const answers = rig.store.database.collection('op_answers');
    const keptWith = async (text: string) =>
      (await answers.find().toArray()).filter((doc) => JSON.stringify(doc).includes(text)).length;
    await eventually(async () => (await keptWith(name)) === 1);
    const erase = () => rig.send('DELETE', `/users/${ann.id}`, { headers: { 'idempotency-key': 'erase-ann' } });
    expect((await erase()).status).toBe(205);
    // The same answer again, unless the stored answers were removed by then.
    expect([205, 204]).toContain((await erase()).status);
    expect(await keptWith(name)).toBe(0);
    const bob = await rig.person('Bob Once');
    const many = await Promise.all(Array.from({ length: 5 }, () => rig.send('DELETE', `/users/${bob.id}`)));
    expect(new Set(many.map(({ status }) => status))).toEqual(
      new Set(many.some(({ status }) => status === 204) ? [205, 204] : [205]),
    );
  });

  it('removes stored answers, but not the record of which request an idempotency key belongs to', async () => {
    const ann = await rig.person('Ann Forgotten');
    const make = (title: string) =>
      rig.send('PUT', `/orgs/${rig.organization}/teams`, {
        body: { title, members: [] },
        headers: { 'idempotency-key': 'kept-team' },
      });
    const made = await make('Kept');
    await rig.send('DELETE', `/users/${ann.id}`);
    const other = await make('Lost');
    expect([other.status, other.body.error.reason]).toEqual([422, 'idempotency_key_reused']);
    const again = await make('Kept');
    expect([again.status, again.body['id']]).toEqual([made.status, made.body['id']]);
  });

  it('changes nothing in a dry run', async () => {
    const ann = await rig.member('Ann Tries', 'read');
    expect((await rig.send('DELETE', '/user?dryRun=true', { token: ann.token })).status).toBe(205);
    expect((await rig.send('DELETE', `/users/${ann.id}?dryRun=true`)).status).toBe(205);
    expect((await rig.send('GET', `/orgs/${rig.organization}/members/${ann.id}`)).status).toBe(200);
    expect(await rig.store.load(erasure, ann.id)).toEqual({ status: 'none' });
    expect((await rig.send('GET', '/user', { token: ann.token })).status).toBe(200);
  });

  it('leaves an admin when all admins erase themselves at the same moment', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, (_, i) => rig.person(`Leaves ${i}`)));
    const [first] = people;
    const organization = await createOrganization(first as Person, 'All Leave');
    await invite(
      organization,
      first?.token ?? '',
      people.slice(1).map(({ email }) => ({ email, role: 'admin' })),
    );
    const gone = await Promise.all(people.map(({ token }) => eraseSelf(token)));
    expect(gone.map(({ status }) => status).sort()).toEqual([205, 205, 205, 409]);
    const left = people[gone.findIndex(({ status }) => status === 409)];
    expect((await rig.send('GET', `/orgs/${organization}`, { token: left?.token ?? '' })).body).toMatchObject({
      permissions: { admin: true },
    });
    expect(get(gone.find(({ status }) => status === 409)?.body, 'error.details.0.path')).toBe(
      `organizations.${organization}`,
    );
  });

  it('appoints another admin when the person became the last admin after their memberships were checked', async () => {
    const [ann, bob, guest] = [
      await rig.person('Ann Between'),
      await rig.person('Bob Between'),
      await rig.person('Gus Between'),
    ];
    const organization = await createOrganization(ann, 'Between');
    await invite(organization, ann.token, [
      { email: bob.email, role: 'edit' },
      { email: guest.email, role: 'read' },
    ]);
    const command = {
      actor: { kind: 'user', id: ann.id },
      organization: null,
      operation: 'spec',
      correlation: 'spec',
    } as const;
    await rig.store
      .scope(command)
      .handle(erasure, ann.id, (state) => [
        ...beginErasure(state),
        { type: 'UserErased' as const, data: { user: ann.id } },
      ]);
    await eventually(async () => (await rig.store.collection(members).count({ organization })) === 2);
    const { body } = await rig.send('GET', `/orgs/${organization}/members`, { token: bob.token });
    expect(body.items.map((item) => [get(item, 'id'), get(item, 'role')]).sort()).toEqual(
      [
        [bob.id, 'admin'],
        [guest.id, 'read'],
      ].sort(),
    );
    expect(
      (await rig.send('PATCH', `/orgs/${organization}`, { token: bob.token, body: { title: 'Still there' } })).status,
    ).toBe(200);
    expect(await parked()).toBe(0);
  });

  it('keeps an operator whose erasure was refused after they were recorded as leaving', async () => {
    const user = rig.owner.id;
    const command = {
      actor: { kind: 'user', id: user },
      organization: null,
      operation: 'spec',
      correlation: 'spec',
    } as const;
    await rig.store
      .scope(command)
      .handle(installation, installationId, (state) =>
        recordOperatorLeft(state, { user, operators: [user, 'another'] }),
      );
    await rig.store.scope(command).handle(erasure, user, beginErasure);
    await eventually(async () => !(await rig.store.load(installation, installationId)).left.includes(user));
    expect(await rig.store.load(erasure, user)).toEqual({ status: 'refused' });
  });

  it('makes lookups by their id answer with a deleted user', async () => {
    const ann = await rig.person('Ann Shown');
    await rig.send('DELETE', `/users/${ann.id}`);
    const messaging = await connectMessaging({
      url: rig.config.NATS_URL,
      name: 'test',
      namespace: rig.config.NAMESPACE,
    });
    const body = Buffer.from(JSON.stringify({ ids: [ann.id, rig.owner.id] }));
    const reply = await messaging
      .client()
      .request({ service: 'identity', operation: lookupUsers.id, body, headers: {}, timeoutMs: 10_000 });
    await messaging.close();
    const { items } = lookupUsers.response.parse(JSON.parse(Buffer.from(reply.body).toString('utf8')));
    expect(items.map(({ id, displayName }) => [id, displayName])).toEqual([
      [ann.id, 'Deleted user'],
      [rig.owner.id, 'Olga Owner'],
    ]);
  });

  it.each(projectionsOf(identity).map(({ collection }) => collection))(
    'leaves a read model %s that a rebuild reproduces, before and after deleted events are removed',
    async (collection) => {
      const rebuilt = async () =>
        (await rig.send('POST', `/operator/identity/projections/${collection}/rebuild`)).body['equal'];
      expect(await rebuilt()).toBe(true);
      await rig.scavenge();
      expect(await rebuilt()).toBe(true);
    },
  );
});
