import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { startRig, type Rig } from '../test/rig.js';

const writers = 50;
/** Concurrent reads after each write, so that both replicas answer some. */
const readers = 3;
/** Writes of each writer, which lead to 5,100 reads. `npm run soak` is the long run. */
const rounds = Number(process.env['RACE_ROUNDS'] ?? sized(8, 34));

describe('with requests at the same time,', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    await rig.replica();
  }, 60_000);
  afterAll(() => rig.stop());

  it('exactly one of two admins who demote each other succeeds', async () => {
    for (let round = 0; round < 10; round += 1) {
      const founder = await rig.person(`Founder ${round}`);
      const second = await rig.person(`Second ${round}`);
      const made = await rig.send('POST', '/orgs', { token: founder.token, body: { title: `Duel ${round}` } });
      const org = `/orgs/${String(made.body['id'])}`;
      await rig.send('POST', `${org}/invites`, {
        token: founder.token,
        body: { emails: [second.email], role: 'admin' },
      });
      // Only an admin who has changed something counts as an admin that the organization keeps.
      const first = await rig.send('PUT', `${org}/teams`, { token: second.token, body: { title: 'First change' } });
      expect(first.status).toBe(201);
      const demote = (by: string, whom: string) =>
        rig.send('PATCH', `${org}/members/${whom}`, { token: by, body: { role: 'read' } });
      const answers = await Promise.all([demote(founder.token, second.id), demote(second.token, founder.id)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
      const admins = await rig.send('GET', `${org}/members?role=admin`, { token: founder.token });
      expect(admins.body).toMatchObject({ count: 1 });
    }
  }, 60_000);

  it('fifty operators create one user for one address', async () => {
    const body = { email: 'only.one@example.org', displayName: 'Only One', emailVerified: true };
    const answers = await Promise.all(Array.from({ length: 50 }, () => rig.send('POST', '/users', { body })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it(`${writers} writers each read what they wrote, whichever replica answers`, async () => {
    const teams = await Promise.all(
      Array.from({ length: writers }, async (_, i) => {
        const made = await rig.send('PUT', `/orgs/${rig.organization}/teams`, { body: { title: `Writer ${i}` } });
        expect(made.status).toBe(201);
        return `/orgs/${rig.organization}/teams/${String(made.body['id'])}`;
      }),
    );
    const wrong: string[] = [];
    await Promise.all(
      teams.map(async (path, i) => {
        for (let round = 0; round < rounds; round += 1) {
          const title = `Writer ${i} round ${round}`;
          const written = await rig.send('PATCH', path, { body: { title } });
          const read = await Promise.all(Array.from({ length: readers }, () => rig.send('GET', path)));
          const other = [written, ...read].find(({ body: shown }) => shown['title'] !== title);
          if (other !== undefined) wrong.push(`${title}: ${other.status} ${String(other.body['title'])}`);
        }
      }),
    );
    expect(wrong).toEqual([]);
  }, 120_000);

  it('one of many requests with the same idempotency key is carried out', async () => {
    const headers = { 'idempotency-key': 'create-once' };
    const body = { title: 'Created once' };
    const path = `/orgs/${rig.organization}/teams`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => rig.send('PUT', path, { body, headers })));
    expect(new Set(answers.map((answer) => answer.body['id'])).size).toBe(1);
    expect((await rig.send('GET', `${path}?title=created%20once`)).body).toMatchObject({ count: 1 });
  });
});
