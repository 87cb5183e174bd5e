import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRig, type Rig } from '../test/rig.js';

describe('an organization', () => {
  let rig: Rig;
  let spaces: string;
  beforeAll(async () => {
    rig = await startRig({ MAX_SPACES_PER_ORGANIZATION: '3', MAX_GRANTS_PER_ORGANIZATION: '5' });
    spaces = `/orgs/${rig.organization}/spaces`;
  }, 60_000);
  afterAll(() => rig.stop());

  it('has so many spaces, whoever asks at the same moment, and so many grants', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => rig.send('POST', spaces)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409, 409, 409]);
    const refused = answers.find(({ status }) => status === 409)?.body.error;
    expect([refused?.reason, refused?.details?.[0]?.path]).toEqual(['limit_reached', 'spacesPerOrganization']);
    const [space] = answers.flatMap(({ status, body }) => (status === 201 ? [String(body['id'])] : []));
    // What can be restored takes up room.
    await rig.send('DELETE', `/spaces/${String(answers.findLast(({ status }) => status === 201)?.body['id'])}`);
    expect((await rig.send('POST', spaces)).status).toBe(409);
    expect((await rig.send('GET', spaces)).body['count']).toBe(2);
    const people = await Promise.all(['Ann', 'Bob', 'Cleo'].map((name) => rig.member(name, 'read')));
    const give = (users: string[]) =>
      rig.send('POST', `/spaces/${space}/permissions`, { body: { role: 'edit', users } });
    const ids = people.map(({ id }) => id);
    const { error } = (await give(ids)).body;
    expect([error.reason, error.details?.[0]?.path]).toEqual(['limit_reached', 'grantsPerOrganization']);
    expect((await give(ids.slice(0, 2))).status).toBe(204);
    expect((await give(ids.slice(0, 2))).status).toBe(204);
    expect((await give(ids.slice(2))).status).toBe(409);
  });
});
