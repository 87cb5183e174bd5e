import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, startRig, type Answer, type Person, type Rig } from '../../test/rig.js';

const days = 86_400_000;

describe('what was deleted', () => {
  let rig: Rig;
  let org: string;
  let creator: Person;
  let reader: Person;
  let guest: Person;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    [creator, reader, guest] = await Promise.all([
      rig.member('Crea Tor', 'create'),
      rig.member('Rea Der', 'read'),
      rig.member('Gus Guest', null),
    ]);
  }, 60_000);
  afterAll(() => rig.stop());

  const make = async (kind: 'spaces' | 'collections', title: string, more: object = {}, token?: string) => {
    const { body } = await rig.send('POST', `${org}/${kind}`, { ...(token && { token }), body: { title, ...more } });
    return String(body['id']);
  };
  const listed = (kind: string, token = rig.owner.token) => rig.send('GET', `${org}/${kind}?deleted=true`, { token });
  const titles = ({ body }: Answer) => body.items.map(({ title }) => title);

  it('is listed for those who may restore it, with the day it goes, until it is restored', async () => {
    const mine = await make('spaces', 'Mine', {}, creator.token);
    await make('spaces', 'Living');
    const kept = (await rig.send('GET', `${org}/spaces`)).body['count'];
    expect([titles(await listed('spaces')), titles(await listed('collections'))]).toEqual([[], []]);
    expect((await rig.send('DELETE', `/spaces/${mine}`, { token: creator.token })).status).toBe(205);
    for (const { token } of [rig.owner, creator]) {
      const { status, body } = await listed('spaces', token);
      expect([status, body['count'], body.items.map(({ id }) => id)]).toEqual([200, 1, [mine]]);
      const [deletedAt, purgeAt] = ['deletedAt', 'purgeAt'].map((name) => Date.parse(String(body.items[0]?.[name])));
      expect(Number(purgeAt) - Number(deletedAt)).toBe(7 * days);
    }
    expect((await rig.send('GET', `/spaces/${mine}`, { token: creator.token })).body).toEqual(
      (await listed('spaces', creator.token)).body.items[0],
    );
    for (const { token } of [reader, guest])
      expect((await listed('spaces', token)).body).toEqual({ items: [], count: 0 });
    expect((await rig.send('GET', `${org}/spaces`)).body['count']).toBe(Number(kept) - 1);
    const restored = await rig.send('POST', `/spaces/${mine}/restore`, { token: creator.token });
    expect([restored.status, 'purgeAt' in restored.body]).toEqual([200, false]);
    expect((await listed('spaces')).body).toEqual({ items: [], count: 0 });
  });

  it('with a collection is listed with it, in the order of the library, page by page', async () => {
    const collection = await make('collections', 'Shelf');
    const inner = await make('collections', 'Drawer', { parent: collection });
    for (const [title, parent] of [
      ['In the shelf', collection],
      ['In the drawer', inner],
    ] as const)
      await make('spaces', title, { parent });
    expect((await rig.send('DELETE', `/collections/${collection}`)).status).toBe(205);
    const collections = await listed('collections');
    expect(titles(collections)).toEqual(['Shelf', 'Drawer']);
    for (const item of collections.body.items)
      expect(Date.parse(String(item['purgeAt'])) - Date.parse(String(item['deletedAt']))).toBe(7 * days);
    expect(titles(await rig.send('GET', `${org}/collections?deleted=true&nested=false`))).toEqual(['Shelf']);
    expect(titles(await listed('collections', creator.token))).toEqual([]);
    const pages: unknown[] = [];
    let page = '';
    do {
      const { body } = await rig.send('GET', `${org}/spaces?deleted=true&limit=1${page}`);
      pages.push([body['count'], body.items.map(({ title }) => title)]);
      page = body['next'] === undefined ? '' : `&page=${encodeURIComponent(String(get(body, 'next.page')))}`;
    } while (page !== '');
    expect(pages.map((one) => JSON.stringify(one)).sort()).toEqual(['[2,["In the drawer"]]', '[2,["In the shelf"]]']);
    const [first] = (await listed('spaces')).body.items;
    expect((await rig.send('POST', `/spaces/${String(first?.['id'])}/restore`)).body['title']).toBe(first?.['title']);
    expect((await listed('spaces')).body['count']).toBe(1);
  });

  it('is no list of others', async () => {
    const { token } = await rig.person('Stranger');
    for (const kind of ['spaces', 'collections']) {
      expect((await listed(kind, token)).status).toBe(404);
      const { status, body } = await rig.send('GET', `${org}/${kind}?deleted=perhaps`);
      expect([status, body.error.details?.[0]?.path]).toEqual([400, 'query.deleted']);
      const first = await rig.send('GET', `${org}/${kind}?limit=1`);
      const next = get(first.body, 'next.page');
      if (typeof next === 'string')
        expect((await rig.send('GET', `${org}/${kind}?deleted=true&page=${encodeURIComponent(next)}`)).status).toBe(
          400,
        );
    }
  });
});
