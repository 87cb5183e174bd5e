import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, startRig, type Person, type Rig } from '../test/rig.js';

/** What was written about a space that is transferred to another organization. */
describe('with a space that is transferred', () => {
  let rig: Rig;
  let target: string;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    target = String((await rig.send('POST', '/orgs', { body: { title: 'Target' } })).body['id']);
  }, 60_000);
  afterAll(() => rig.stop());

  const newSpace = async (): Promise<string> =>
    `/spaces/${String((await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: { editMode: 'live' } })).body['id'])}`;
  const read = async (path: string, { token }: Person = rig.owner) => rig.send('GET', path, { token });
  const ids = async (path: string) => (await read(path)).body.items.map(({ id }) => String(id));
  const comment = (path: string, { token }: Person) =>
    rig.send('POST', `${path}/comments`, { token, body: { body: { markdown: 'A word' } } });

  it('comments and change requests are read and go on in the other organization, and are not there for the former one', async () => {
    const space = await newSpace();
    const [stays, moves] = [await rig.member('Sta Ying', 'review'), await rig.member('Mo Ving', 'review')];
    await rig.send('POST', `/orgs/${target}/invites`, { body: { emails: [moves.email], role: 'review' } });
    const made = await rig.send('POST', `${space}/change-requests`, { token: stays.token, body: { subject: 'Plan' } });
    const request = `${space}/change-requests/${String(made.body['id'])}`;
    for (const by of [stays, moves]) {
      expect((await comment(space, by)).status).toBe(200);
      expect((await comment(request, by)).status).toBe(200);
    }
    await rig.send('POST', `${request}/requested-reviewers`, { body: { users: [moves.id] } });
    expect((await read(`${request}/requested-reviewers`)).body['count']).toBe(1);
    const unread = async () => (await read('/user/notifications?unread=true', moves)).body.items;
    await eventually(async () => (await unread()).some(({ kind }) => kind === 'review_requested'));
    await rig.send('POST', '/user/notifications/read', { token: moves.token });
    expect((await rig.send('POST', `${space}/transfer`, { body: { organization: target } })).status).toBe(200);

    expect(await ids(`/orgs/${rig.organization}/change-requests`)).toEqual([]);
    // The run of the transfer may have been faster than the request, which then does not wait for what that has
    // recorded.
    await eventually(async () => (await ids(`/orgs/${target}/change-requests`))[0] === made.body['id']);
    await eventually(async () => (await read(`${request}/requested-reviewers`)).body['count'] === 0);
    await eventually(async () => (await read(`${space}/commenters`)).body['count'] === 1);
    expect(await unread()).toEqual([]);
    for (const path of [request, `${space}/comments`, `${request}/comments`]) {
      expect([path, (await read(path, stays)).status]).toEqual([path, 404]);
      expect([path, (await read(path, moves)).status]).toEqual([path, 200]);
    }
    const shown = (await read(request)).body;
    expect(shown).toMatchObject({ number: 1, status: 'open', comments: 2, subject: 'Plan' });
    expect(get(shown, 'createdBy.id')).toBe(stays.id);
    expect(get(shown, 'urls.app')).toContain(`/o/${target}/s/`);
    for (const path of [space, request]) {
      const { items, ...page } = (await read(`${path}/commenters`)).body;
      expect([items.map((item) => get(item, 'user.id') ?? item['id']), page['count']]).toEqual([
        [expect.stringContaining(moves.id)],
        1,
      ]);
    }
    const commented = (await read(`${space}/comments?order=asc`)).body.items;
    expect(commented.map((item) => get(item, 'user.id') ?? get(item, 'postedBy.id'))).toEqual([stays.id, moves.id]);

    expect((await comment(request, moves)).status).toBe(200);
    await rig.send('POST', `${request}/requested-reviewers`, { body: { users: [moves.id] } });
    const body = { status: 'approved' };
    expect((await rig.send('POST', `${request}/reviews`, { token: moves.token, body })).status).toBe(201);
    expect((await rig.send('POST', `${request}/merge`)).body).toMatchObject({ result: 'merge' });
    const next = await rig.send('POST', `${space}/change-requests`, { body: { subject: 'Next' } });
    expect(next.body['number']).toBe(2);
    expect((await read(space)).body).toMatchObject({ comments: 2, changeRequests: 2 });
    await eventually(async () => {
      const { body: told } = await read('/user/notifications', moves);
      return told.items.every((item) => item['organization'] !== rig.organization || get(item, 'space') === undefined);
    });
    for (const service of ['collaboration', 'content']) {
      const { body: known } = await rig.send('GET', `/operator/${service}/consumers?limit=1000`);
      for (const { name } of known.items.filter(({ kind }) => kind === 'projection')) {
        const rebuilt = await rig.send('POST', `/operator/${service}/projections/${String(name)}/rebuild`);
        expect([name, rebuilt.body['equal']]).toEqual([name, true]);
      }
    }
  }, 120_000);
});
