import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, eventually, startRig, type Person, type Rig } from '../../test/rig.js';

describe('all content of an organization', () => {
  let rig: Rig;
  beforeAll(async () => (rig = await startRig()), 60_000);
  afterAll(() => rig.stop());

  const make = async (kind: 'spaces' | 'collections', body: object): Promise<string> =>
    String((await rig.send('POST', `/orgs/${rig.organization}/${kind}`, { body })).body['id']);
  const list = async ({ token }: Pick<Person, 'token'>, query = '') => {
    const { body } = await rig.send('GET', `/orgs/${rig.organization}/all-content${query}`, { token });
    return {
      ids: (get(body, 'items') as { id: string }[]).map(({ id }) => id),
      next: body['next'] as { page: string },
    };
  };

  it('has each collection directly before what is in it, page by page, and only what the caller may view', async () => {
    const first = await make('spaces', { title: 'First' });
    const outer = await make('collections', { title: 'Outer' });
    const last = await make('spaces', { title: 'Last' });
    const inner = await make('collections', { title: 'Inner', parent: outer });
    const within = await make('spaces', { title: 'Within', parent: inner });
    const hidden = await make('spaces', { title: 'Hidden', parent: outer });
    await rig.send('PATCH', `/spaces/${hidden}`, { body: { defaultLevel: null } });
    expect((await list(rig.owner)).ids).toEqual([first, outer, inner, within, hidden, last]);
    const page = await list(rig.owner, '?limit=4');
    const rest = await list(rig.owner, `?limit=4&page=${encodeURIComponent(page.next.page)}`);
    expect([page.ids, rest.ids]).toEqual([
      [first, outer, inner, within],
      [hidden, last],
    ]);
    const reader = await rig.member('Rea Der', 'read');
    await eventually(async () => (await list(reader)).ids.length > 0);
    expect((await list(reader)).ids).toEqual([first, outer, inner, within, last]);
    await rig.send('DELETE', `/spaces/${within}`);
    expect((await list(rig.owner)).ids).toEqual([first, outer, inner, hidden, last]);
  });

  it('is refused to strangers', async () => {
    const { token } = await rig.person('Stran Ger');
    const path = `/orgs/${rig.organization}/all-content`;
    expect((await rig.send('GET', path, { token })).status).toBe(404);
    expect((await rig.send('GET', `${path}?limit=x`)).status).toBe(400);
  });
});
