import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRig, type Answer, type Person, type Rig } from '../test/rig.js';

describe('nobody raises their own level', () => {
  let rig: Rig;
  let org: string;
  let member: Person;
  let reader: Person;
  let team: string;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    member = await rig.member('Cleo Creator', 'create');
    reader = await rig.member('Rea Der', 'read');
    const made = await rig.send('PUT', `${org}/teams`, { body: { title: 'Writers', members: [member.id] } });
    team = String(made.body['id']);
  }, 60_000);
  afterAll(() => rig.stop());

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
