import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRig, type Rig } from '../test/rig.js';

/** One client and two services: what it changes in one counts in the next request to the other. */
describe('content knows at once', () => {
  let rig: Rig;
  let org: string;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
  }, 60_000);
  afterAll(() => rig.stop());

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
