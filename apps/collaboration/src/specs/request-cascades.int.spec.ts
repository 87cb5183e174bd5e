import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, startRig, type Person, type Rig } from '../test/own-rig.js';

/** What follows for change requests and their reviews from what happens to spaces and people. */
describe('change requests and their reviews', () => {
  let rig: Rig;
  beforeAll(async () => void (rig = await startRig({ MAX_CHANGE_REQUESTS_PER_SPACE: '1' })), 60_000);
  afterAll(() => rig.stop());

  const newSpace = async (): Promise<string> =>
    `/spaces/${String((await rig.send('POST', `/orgs/${rig.organization}/spaces`)).body['id'])}`;
  const begin = async (): Promise<{ space: string; request: string }> => {
    const space = await newSpace();
    const made = await rig.send('POST', `${space}/change-requests`, { body: { subject: 'Plan' } });
    return { space, request: `${space}/change-requests/${String(made.body['id'])}` };
  };
  const review = (request: string, { token }: Person) =>
    rig.send('POST', `${request}/reviews`, { token, body: { status: 'approved', comment: { markdown: 'Good' } } });
  const read = async (path: string) => (await rig.send('GET', path)).body;
  /** Documents about something in the read models of both services. */
  const documents = async (service: 'collaboration' | 'content', name: string, filter: object): Promise<number> => {
    const { client, databaseName } = rig.store.database;
    return client.db(databaseName.replace('collaboration', service)).collection(name).countDocuments(filter);
  };
  const rebuilt = async (service: string): Promise<void> => {
    const { body } = await rig.send('GET', `/operator/${service}/consumers?limit=1000`);
    for (const { name } of body.items.filter(({ kind }) => kind === 'projection')) {
      const answer = await rig.send('POST', `/operator/${service}/projections/${String(name)}/rebuild`);
      expect([name, answer.body['equal']]).toEqual([name, true]);
    }
  };

  it('are hidden with a deleted space, but for admins who read, and are there again when it is restored', async () => {
    const { space, request } = await begin();
    const reviewer = await rig.member('Re Viewer', 'review');
    expect((await review(request, reviewer)).status).toBe(201);
    expect((await rig.send('DELETE', space)).status).toBe(205);
    expect((await rig.send('GET', request, { token: reviewer.token })).status).toBe(404);
    expect((await read(`${request}/reviews`))['count']).toBe(1);
    expect((await review(request, reviewer)).status).toBe(404);
    expect((await rig.send('POST', `${request}/merge`)).status).toBe(404);
    expect((await rig.send('POST', `${space}/restore`)).status).toBe(200);
    const { body } = await rig.send('GET', `${request}/reviews`, { token: reviewer.token });
    expect(body.items).toMatchObject([
      { status: 'approved', outdated: false, comment: { body: { markdown: 'Good\n' } } },
    ]);
    expect((await review(request, reviewer)).status).toBe(201);
    expect((await rig.send('POST', `${request}/merge`)).body).toMatchObject({ result: 'merge' });
  });

  it('keep the reviews of erased people without their names; requests for their reviews end', async () => {
    const { request } = await begin();
    const [gone, asked] = [
      await rig.member('Quillfeather Gone', 'review'),
      await rig.member('Plumage Asked', 'review'),
    ];
    expect((await review(request, gone)).status).toBe(201);
    await rig.send('POST', `${request}/requested-reviewers`, { body: { users: [gone.id, asked.id] } });
    for (const { id } of [gone, asked]) expect((await rig.send('DELETE', `/users/${id}`)).status).toBe(205);
    await eventually(async () => (await read(`${request}/requested-reviewers`))['count'] === 0);
    const named = async (): Promise<unknown> =>
      get((await read(`${request}/reviews`)).items[0], 'reviewer.displayName');
    await eventually(async () => (await named()) === 'Deleted user');
    expect((await read(`${request}/reviews`)).items).toMatchObject([
      { status: 'approved', comment: { body: { markdown: 'Good\n' } } },
    ]);
    const { items } = await read(`${request}/contributors`);
    expect(items.map((item) => get(item, 'user.displayName'))).toEqual(['Deleted user', 'Deleted user']);
    expect(JSON.stringify(await read(`${request}/reviews`))).not.toContain('Quillfeather');
  });

  it('leave neither a branch nor a text when their creation breaks off', async () => {
    const { space } = await begin();
    const refused = await rig.send('POST', `${space}/change-requests`, { body: { template: { id: 'changelog' } } });
    expect([refused.status, get(refused.body, 'error.details.0.path')]).toEqual([409, 'changeRequestsPerSpace']);
    const of = { space: space.slice('/spaces/'.length) };
    expect(await documents('content', 'request_branch_v2', of)).toBe(2);
    const timers = rig.store.database.collection<{ _id: string; command: string }>('op_timers');
    await eventually(async () => {
      await timers.updateMany({ command: 'abandon_change_request' }, { $set: { due: 0 } });
      return (await documents('content', 'request_branch_v2', { ...of, _gone: { $ne: true } })) === 1;
    });
    await eventually(async () => (await documents('collaboration', 'branch_head_v2', of)) === 2);
    await eventually(async () => (await documents('content', 'branch_v3', of)) === 2);
    await rig.scavenge();
    await rebuilt('content');
    await rebuilt('collaboration');
  }, 60_000);
});
