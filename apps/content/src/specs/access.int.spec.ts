import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { someCertificate } from '@scriptorium/testing';
import { startRig, type Answer, type Person, type Rig } from '../test/rig.js';

let rig: Rig;
let org: string;
beforeAll(async () => {
  rig = await startRig({}, { alone: true });
  org = `/orgs/${rig.organization}`;
}, 60_000);
afterAll(() => rig.stop());

describe('nobody raises their own level', () => {
  let member: Person;
  let reader: Person;
  let team: string;
  beforeAll(async () => {
    member = await rig.member('Cleo Creator', 'create');
    reader = await rig.member('Rea Der', 'read');
    const made = await rig.send('PUT', `${org}/teams`, { body: { title: 'Writers', members: [member.id] } });
    team = String(made.body['id']);
  });

  const make = async (kind: 'spaces' | 'collections', body: object = {}) =>
    String((await rig.send('POST', `${org}/${kind}`, { body })).body['id']);
  const asMember = (method: string, path: string, body?: object) =>
    rig.send(method, path, { token: member.token, ...(body === undefined ? {} : { body }) });
  const refusal = ({ status, body: { error } }: Answer) => [status, error.message];
  const raised = [403, 'It would raise your own level'];
  /** A collection, and in it a space that the member may not view, deleted or not. */
  const closedWithin = async (isDeleted: boolean) => {
    const collection = await make('collections');
    const space = await make('spaces', { parent: collection });
    await rig.send('PATCH', `/spaces/${space}`, { body: { defaultLevel: null } });
    if (isDeleted) expect((await rig.send('DELETE', `/spaces/${space}`)).status).toBe(205);
    return { collection, space };
  };

  it.each([false, true])('by a grant on a collection that contains a closed space (deleted: %s)', async (isDeleted) => {
    const { collection, space } = await closedWithin(isDeleted);
    const grants = `/collections/${collection}/permissions`;
    for (const whom of [{ users: [member.id] }, { teams: [team] }])
      expect(refusal(await asMember('POST', grants, { role: 'create', ...whom }))).toEqual(raised);
    expect((await asMember('POST', grants, { role: 'create', users: [reader.id] })).status).toBe(204);
    expect((await asMember('GET', `/spaces/${space}`)).status).toBe(404);
    // What grants nothing in the space may be given.
    const open = await make('collections');
    expect((await asMember('POST', `/collections/${open}/permissions`, { role: 'create', teams: [team] })).status).toBe(
      204,
    );
  });

  it('by giving back a grant that holds down a higher default level', async () => {
    const collection = await make('collections');
    const space = await make('spaces', { parent: collection });
    await rig.send('PATCH', `/spaces/${space}`, { body: { defaultLevel: 'admin' } });
    const grants = `/collections/${collection}/permissions`;
    await rig.send('POST', grants, { body: { role: 'create', users: [member.id] } });
    expect(refusal(await asMember('DELETE', `${grants}/users/${member.id}`))).toEqual(raised);
    expect(refusal(await asMember('PATCH', `/spaces/${space}`, { defaultLevel: 'admin' }))).toEqual([
      403,
      'The level is above your own',
    ]);
  });

  it.each([false, true])('by a move of a collection that contains a closed space (deleted: %s)', async (isDeleted) => {
    const { collection } = await closedWithin(isDeleted);
    const target = await make('collections');
    await rig.send('POST', `/collections/${target}/permissions`, { body: { role: 'create', users: [member.id] } });
    expect(refusal(await asMember('POST', `/collections/${collection}/move`, { parent: target }))).toEqual(raised);
    expect((await asMember('POST', `/collections/${await make('collections')}/move`, { parent: target })).status).toBe(
      200,
    );
  });

  it('and only who may create in a collection changes the order of what stands there', async () => {
    const collection = await make('collections', {});
    await rig.send('PATCH', `/collections/${collection}`, { body: { defaultLevel: 'read' } });
    const [one, two] = [await make('spaces', { parent: collection }), await make('spaces', { parent: collection })];
    await rig.send('POST', `/spaces/${two}/permissions`, { body: { role: 'admin', users: [member.id] } });
    const answer = await asMember('POST', `/spaces/${two}/move`, {
      position: { before: { type: 'space', space: one } },
    });
    expect(refusal(answer)).toEqual([403, 'You may not change the order of what stands there']);
    expect(answer.body.error.details).toBeUndefined();
    const sent = await asMember('POST', `/spaces/${two}/move`, { parent: collection });
    expect([sent.status, sent.body.error.details?.[0]?.path]).toEqual([403, 'body.parent']);
  });
});

/** One client and two services: what it changes in one counts in the next request to the other. */
describe('content knows at once', () => {
  it('of a role that the same client has changed in identity', async () => {
    const path = `/spaces/${String((await rig.send('POST', `${org}/spaces`)).body['id'])}`;
    const member = await rig.member('Mia Member', 'read');
    const aggregate = async () => (await rig.send('GET', `${path}/permissions/aggregate?role=review`)).body['count'];
    expect(await aggregate()).toBe(0);
    for (const [role, count] of [
      ['review', 1],
      ['read', 0],
      ['review', 1],
    ] as const) {
      await rig.send('PATCH', `${org}/members/${member.id}`, { body: { role } });
      expect([role, await aggregate()]).toEqual([role, count]);
    }
  });

  it('of an organization, and a team, that the same client has just made', async () => {
    for (let round = 0; round < 3; round += 1) {
      const made = await rig.send('POST', '/orgs', { body: { title: `Round ${round}` } });
      const within = `/orgs/${String(made.body['id'])}`;
      const space = await rig.send('POST', `${within}/spaces`, { body: { title: 'At once' } });
      expect(space.status).toBe(201);
      const team = await rig.send('PUT', `${within}/teams`, { body: { title: 'At once' } });
      const path = `/spaces/${String(space.body['id'])}/permissions`;
      const granted = await rig.send('POST', path, { body: { role: 'read', teams: [String(team.body['id'])] } });
      expect(granted.status).toBe(204);
    }
  });

  it('that a member was removed: whoever removed them sees it in the next answer, and they are refused', async () => {
    const path = `/spaces/${String((await rig.send('POST', `${org}/spaces`)).body['id'])}`;
    const { id, token } = await rig.member('Rea Moved', 'edit');
    expect((await rig.send('GET', path, { token })).status).toBe(200);
    // A member who leaves is the same client in both services.
    expect((await rig.send('DELETE', `${org}/members/${id}`, { token })).status).toBe(205);
    expect((await rig.send('GET', path, { token })).status).toBe(404);
    expect((await rig.send('GET', `${org}/spaces`, { token })).status).toBe(404);
  });

  it('what was there before it was started again', async () => {
    const made = await rig.send('POST', `${org}/spaces`, { body: { title: 'Kept' } });
    const replica = await rig.replica('content');
    await replica.stop();
    expect((await rig.send('GET', `/spaces/${String(made.body['id'])}`)).body).toEqual(made.body);
  });
});

/** Last: from then on everybody has to come by single sign-on. */
describe('where single sign-on is enforced', () => {
  let path: string;
  let member: Person;
  let guest: Person;
  beforeAll(async () => {
    member = await rig.member('Mia Maker', 'create');
    guest = await rig.member('Gus Guest', null);
    path = `/spaces/${String((await rig.send('POST', `${org}/spaces`)).body['id'])}`;
    await rig.send('POST', `${path}/permissions`, { body: { role: 'read', users: [guest.id] } });
    const provider = { label: 'x', ssoURL: 'https://idp.example/sso', entityID: 'https://idp.example' };
    await rig.send('POST', `${org}/saml`, { body: { ...provider, certificate: someCertificate } });
    expect((await rig.send('PATCH', org, { body: { sso: true } })).status).toBe(200);
  });

  const refused = async ({ token }: Person, method: string, target: string) => {
    const { status, body } = await rig.send(method, target, { token });
    return [status, body?.error?.reason];
  };

  it('members who have not come by it are refused, also admins, with the reason', async () => {
    for (const person of [member, rig.owner]) {
      expect(await refused(person, 'GET', path)).toEqual([403, 'sso_required']);
      expect(await refused(person, 'GET', `${org}/spaces`)).toEqual([403, 'sso_required']);
      expect(await refused(person, 'POST', `${org}/spaces`)).toEqual([403, 'sso_required']);
      expect(await refused(person, 'DELETE', `${path}/permissions/users/${guest.id}`)).toEqual([403, 'sso_required']);
    }
  });

  it('guests are not asked for it', async () => {
    expect((await rig.send('GET', path, { token: guest.token })).status).toBe(200);
  });

  it('what somebody could not see anyway stays hidden', async () => {
    expect(await refused(guest, 'GET', '/spaces/unknown')).toEqual([404, 'not_found']);
    expect(await refused(member, 'GET', '/spaces/unknown')).toEqual([404, 'not_found']);
  });
});
