import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startRig, type Person, type Rig } from '../test/rig.js';

describe('links to a space or collection', () => {
  let rig: Rig;
  let org: string;
  let links: string;
  let collection: string;
  let space: string;
  let creator: Person;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    links = `${org}/link-invites`;
    creator = await rig.member('Cre Ator', null);
    collection = String((await rig.send('POST', `${org}/collections`, { body: { title: 'Guides' } })).body['id']);
    space = String(
      (await rig.send('POST', `${org}/spaces`, { body: { title: 'Guide', parent: collection } })).body['id'],
    );
    const grant = { body: { role: 'create', users: [creator.id] } };
    await rig.send('POST', `/collections/${collection}/permissions`, grant);
  }, 60_000);
  afterAll(() => rig.stop());

  const create = async (body: object, token?: string) => rig.send('POST', links, { body, ...(token && { token }) });
  const join = async (invite: unknown, { token }: Person) =>
    (await rig.send('POST', `${org}/invites/${String(invite)}`, { token })).status;
  const levelOf = async ({ token }: Person) => {
    const { status, body } = await rig.send('GET', `/spaces/${space}`, { token });
    return status === 200 ? (body['permissions'] as Record<string, boolean>)['edit'] : status;
  };

  it('make guests who have the level there', async () => {
    const made = await create({ level: 'edit', space });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ object: 'invite', level: 'edit', space, redundant: true });
    expect(made.body).not.toHaveProperty('role');
    const guest = await rig.person('Gus Guest');
    expect(await join(made.body['id'], guest)).toBe(200);
    expect((await rig.send('GET', `${org}/members/${guest.id}`)).body['role']).toBeNull();
    await eventually(async () => (await levelOf(guest)) === true);
    expect(await join(made.body['id'], guest)).toBe(200);
  });

  it('raise what a member has, and lower nothing', async () => {
    const invite = (await create({ level: 'edit', collection })).body['id'];
    const reader = await rig.member('Rea Der', 'read');
    const reviewer = await rig.member('Rev Iewer', 'review');
    for (const person of [reader, reviewer]) expect(await join(invite, person)).toBe(200);
    await eventually(async () => (await levelOf(reader)) === true);
    const users = await rig.send('GET', `/collections/${collection}/permissions/users`);
    const granted = users.body.items.map((item) => (item['user'] as { id: string }).id);
    expect(granted).toContain(reader.id);
    expect(granted).not.toContain(reviewer.id);
  });

  it('leave those without access who were explicitly granted none', async () => {
    const invite = (await create({ level: 'read', space })).body['id'];
    const [closedOut, other] = [await rig.member('Clo Sed', 'read'), await rig.person('Oth Er')];
    await rig.send('POST', `/spaces/${space}/permissions`, { body: { role: null, users: [closedOut.id] } });
    for (const person of [closedOut, other]) expect(await join(invite, person)).toBe(200);
    await eventually(async () => (await levelOf(other)) === false);
    expect(await levelOf(closedOut)).toBe(404);
  });

  it('are managed by whoever has the level create there, up to their own level', async () => {
    const { token } = creator;
    const made = await create({ level: 'read', space }, token);
    expect(made.status).toBe(201);
    const path = `${links}/${String(made.body['id'])}`;
    expect((await rig.send('GET', path, { token })).body).toEqual(made.body);
    expect((await rig.send('PATCH', path, { token, body: { level: 'create' } })).body).toMatchObject({
      level: 'create',
    });
    const above = await rig.send('PATCH', path, { token, body: { level: 'admin' } });
    expect([above.status, above.body.error.details]).toEqual([
      403,
      [{ path: 'body.level', message: 'The level is above your own' }],
    ]);
    const role = await rig.send('PATCH', path, { token, body: { role: 'read' } });
    expect([role.status, role.body.error.details?.[0]?.path]).toEqual([400, 'body.role']);
    expect((await create({ level: 'admin', space }, token)).status).toBe(403);
    expect((await create({ role: 'read' }, token)).status).toBe(403);
    expect((await rig.send('GET', links, { token })).status).toBe(403);
    const editor = await rig.member('Edi Tor', 'edit');
    expect((await rig.send('GET', path, { token: editor.token })).status).toBe(404);
    expect((await create({ level: 'read', space }, editor.token)).status).toBe(403);
    expect((await rig.send('DELETE', path, { token: editor.token })).status).toBe(204);
    expect((await rig.send('DELETE', path, { token })).status).toBe(205);
    expect(await join(made.body['id'], await rig.person('Too Late'))).toBe(404);
  });

  it('refuse what is not there, is of the other kind, or of another organization', async () => {
    const refusal = async (body: object, organization = org) => {
      const answer = await rig.send('POST', `${organization}/link-invites`, { body });
      return [answer.status, answer.body.error.details?.[0]?.path];
    };
    expect(await refusal({ level: 'read', space: 'nowhere' })).toEqual([404, 'body.space']);
    expect(await refusal({ level: 'read', space: collection })).toEqual([404, 'body.space']);
    expect(await refusal({ level: 'read', collection: space })).toEqual([404, 'body.collection']);
    const other = await rig.send('POST', '/orgs', { body: { title: 'Elsewhere' } });
    expect(await refusal({ level: 'read', space }, `/orgs/${String(other.body['id'])}`)).toEqual([404, 'body.space']);
  });

  it('admit nobody while the space is deleted', async () => {
    const body = { title: 'Short-lived' };
    const shortLived = String((await rig.send('POST', `${org}/spaces`, { body })).body['id']);
    const invite = (await create({ level: 'read', space: shortLived })).body['id'];
    await rig.send('DELETE', `/spaces/${shortLived}`);
    const late = await rig.person('Lat Er');
    expect(await join(invite, late)).toBe(404);
    expect((await rig.send('GET', `${org}/members/${late.id}`)).status).toBe(404);
    await rig.send('POST', `/spaces/${shortLived}/restore`);
    expect(await join(invite, late)).toBe(200);
  });
});
