import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { locateInContent } from '@scriptorium/contracts';
import { FileStore } from '../../versions/files/index.js';
import { connectAsker } from '../../test/ask.js';
import { changeContentOf, page } from '../../test/pages.js';
import { get, startRig, type Answer, type Rig } from '../../test/own-rig.js';
import { makeSpace } from '../../test/spaces.js';
import { computedOf, shop, specFile as file } from '../../test/specifications.js';
import { methodOf } from '../../test/method-of.js';

interface Shown {
  id: string;
  type: string;
  title: string;
  path: string;
  computed?: object;
  computedSeed?: string;
  pages: Shown[];
}

describe('computed pages', () => {
  let rig: Rig;
  let org: string;
  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
  }, 60_000);
  afterAll(() => rig.stop());

  const make = async (): Promise<{ space: string; refs: Record<string, string> }> => {
    const space = await makeSpace(rig);
    const refs = await changeContentOf(rig, space, [
      page('Guide', 'Hello.', { ref: 'guide' }),
      { operation: 'insert_files', files: [file(shop('List orders'), { ref: 'spec' })] },
      { operation: 'insert_computed', ref: 'api', computed: computedOf('spec') },
    ]);
    return { space, refs };
  };
  const read = async (path: string): Promise<Answer['body']> => {
    const answer = await rig.send('GET', path);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.body;
  };
  const apiOf = async (space: string, query = ''): Promise<Shown> => {
    const pages = get(await read(`/spaces/${space}/content/pages${query}`), 'pages') as Shown[];
    return pages[1] as Shown;
  };
  const titles = (shown: Shown) => shown.pages.map(({ title }) => title);

  it('are expanded in all reads, by id and by path, and stay as they are declared with computed=false', async () => {
    const { space, refs } = await make();
    const api = await apiOf(space);
    expect(api).toMatchObject({ id: refs['api'], type: 'group', title: 'shop', path: 'shop' });
    expect(titles(api)).toEqual(['Orders', 'Models']);
    expect(api.pages[0]).toMatchObject({
      type: 'document',
      path: 'shop/orders',
      computed: { type: 'builtin:openapi', props: { doc: 'operations', page: 'Orders' } },
      computedSeed: api.computedSeed,
    });
    const whole = await read(`/spaces/${space}/content`);
    expect(get(whole, 'pages.1')).toEqual(api);
    const byId = await read(`/spaces/${space}/content/page/${api.pages[0]?.id ?? ''}?format=markdown`);
    expect(byId['markdown']).toContain('# List orders');
    const byPath = await read(`/spaces/${space}/content/path/shop%2Fmodels`);
    expect(byPath['title']).toBe('Models');
    const document = await read(`/spaces/${space}/documents/${String(byPath['documentId'])}`);
    expect(document['object']).toBe('document');
    const revision = await read(`/spaces/${space}/revisions/${String(whole['id'])}/pages`);
    expect(get(revision, 'pages.1.pages.0.title')).toBe('Orders');

    const plain = await apiOf(space, '?computed=false');
    expect(plain.pages).toEqual([]);
    expect(plain).not.toHaveProperty('computedSeed');
    const hidden = await rig.send('GET', `/spaces/${space}/content/page/${api.pages[0]?.id ?? ''}?computed=false`);
    expect(hidden.status).toBe(404);
  });

  it('follow what they depend on: ids stay, the seed and the entity tag change', async () => {
    const { space, refs } = await make();
    const before = await apiOf(space);
    const first = await rig.send('GET', `/spaces/${space}/content/pages`);
    await changeContentOf(rig, space, [{ operation: 'update_page', page: refs['guide'], title: 'Other' }]);
    expect((await apiOf(space)).computedSeed).toBe(before.computedSeed);
    await changeContentOf(rig, space, [
      { operation: 'update_file', file: refs['spec'], ...file(shop('Show purchases')), name: 'shop.json' },
    ]);
    const after = await apiOf(space);
    expect(after.computedSeed).not.toBe(before.computedSeed);
    expect(after.pages.map(({ id }) => id)).toEqual(before.pages.map(({ id }) => id));
    const changed = await rig.send('GET', `/spaces/${space}/content/pages`);
    expect(changed.headers.get('etag')).not.toBe(first.headers.get('etag'));
    expect((await read(`/spaces/${space}/content/page/${after.pages[0]?.id ?? ''}`))['markdown']).toContain(
      'purchases',
    );

    await changeContentOf(rig, space, [{ operation: 'delete_file', file: refs['spec'] }]);
    expect(await apiOf(space)).toMatchObject({ pages: [] });
    expect(await apiOf(space)).not.toHaveProperty('computedSeed');
  });

  it('are in the entity tag that writes are held to, which is told without showing the content', async () => {
    const { space, refs } = await make();
    const files = Array.from({ length: 5 }, (_, n) => file(`{"n":${n}}`, { name: `${n}.json` }));
    await changeContentOf(rig, space, [{ operation: 'insert_files', files }]);
    const tag = (await rig.send('GET', `/spaces/${space}/content`)).headers.get('etag') ?? '';
    const addresses = jest.fn();
    const linksOf = methodOf(FileStore.prototype, 'linksOf');
    jest.spyOn(FileStore.prototype, 'linksOf').mockImplementation(function (this: FileStore, pool) {
      const links = linksOf.call(this, pool);
      const urlOf: typeof links.urlOf = (record) => {
        addresses();
        return links.urlOf(record);
      };
      return Object.create(links, { urlOf: { value: urlOf } }) as typeof links;
    });
    const write = () =>
      rig.send('POST', `/spaces/${space}/content`, {
        headers: { 'if-match': tag },
        body: { changes: [{ operation: 'update_page', page: refs['guide'], title: 'Held' }] },
      });
    expect((await write()).status).toBe(200);
    expect(addresses).toHaveBeenCalledTimes(1);
    jest.restoreAllMocks();
    expect((await write()).status).toBe(412);
  });

  it('are searched and linked with what they expand to', async () => {
    const { space, refs } = await make();
    const orders = (await apiOf(space)).pages[0]?.id ?? '';
    const find = async (query: string) => {
      const items = get(await read(`/spaces/${space}/search?query=${query}`), 'items') as Shown[];
      return items.map(({ path }) => path);
    };
    expect(await find('marmalade')).toEqual(['shop/orders']);
    const all = await read(`${org}/search?query=marmalade`);
    expect(JSON.stringify(all.items)).toContain(orders);
    await changeContentOf(rig, space, [
      { operation: 'update_file', file: refs['spec'], ...file(shop('List orders').replace('marmalade', 'walnut')) },
      { operation: 'update_page', page: refs['guide'], document: { markdown: '' } },
    ]);
    expect(await find('marmalade')).toEqual([]);
    expect(await find('walnut')).toEqual(['shop/orders']);

    const document = {
      object: 'document',
      nodes: [
        {
          object: 'block',
          type: 'content-ref',
          isVoid: true,
          data: { ref: { kind: 'anchor', page: orders, anchor: 'list-orders' } },
        },
      ],
    };
    await changeContentOf(rig, space, [{ operation: 'update_page', page: refs['guide'], document }]);
    const links = get(await read(`/spaces/${space}/links`), 'items') as { status: string; reference: object }[];
    const statusOf = (kind: string) =>
      links.filter((one) => get(one, 'reference.kind') === kind).map((one) => one.status);
    expect(statusOf('anchor')).toEqual(['ok']);
    expect(statusOf('url')).toEqual(['ok']);
    expect(new Set(statusOf('file'))).toEqual(new Set(['ok']));
    const backlinks = await read(`/spaces/${space}/content/page/${orders}/backlinks`);
    expect(get(backlinks, 'items.0.page.id')).toBe(refs['guide']);
    const ofFile = await read(`/spaces/${space}/content/files/${refs['spec'] ?? ''}/backlinks`);
    expect(JSON.stringify(ofFile.items)).toContain(orders);
  });

  it('cannot be changed one by one, and compare as they are declared', async () => {
    const { space } = await make();
    const orders = (await apiOf(space)).pages[0]?.id ?? '';
    const answer = await rig.send('POST', `/spaces/${space}/content`, {
      body: { changes: [{ operation: 'update_page', page: orders, title: 'Mine' }] },
    });
    expect([answer.status, answer.body.error.details?.[0]?.path]).toEqual([422, 'body.changes[0].page']);
    const head = await read(`/spaces/${space}/content?computed=false`);
    const changes = (await read(`/spaces/${space}/revisions/${String(head['id'])}/changes`))['changes'] as object[];
    expect(JSON.stringify(changes)).not.toContain(orders);
  });

  it('can be commented on, as a whole and at their operations', async () => {
    const { space } = await make();
    const page = (await apiOf(space)).pages[0]?.id ?? '';
    const nodes = get(await read(`/spaces/${space}/content/page/${page}`), 'document.nodes') as {
      type: string;
      key: string;
    }[];
    const node = nodes.find(({ type }) => type === 'swagger')?.key ?? '';
    const places = [{ page }, { page, node }, { page, node: 'nothing' }, { page: 'nothing' }];
    const ask = await connectAsker(rig);
    const located = await ask(locateInContent, { space, branch: space, places });
    await ask.close();
    expect(located).toMatchObject({ found: [true, true, false, false] });
  });

  it('are none where the source cannot be read, and content is read all the same', async () => {
    const space = await makeSpace(rig);
    await changeContentOf(rig, space, [
      page('Guide'),
      { operation: 'insert_files', files: [file('no: specification', { ref: 'spec' })] },
      { operation: 'insert_computed', title: 'Broken', computed: computedOf('spec') },
      { operation: 'insert_computed', title: 'Gone', computed: computedOf('nothing') },
    ]);
    expect(await apiOf(space)).toMatchObject({ title: 'Broken', pages: [] });
    const links = (await read(`/spaces/${space}/links?status=broken`)).items as object[];
    expect(links.map((link) => get(link, 'reference.file'))).toEqual(['nothing']);
  });

  it('can be what a space begins with; files of another space are refused', async () => {
    const source = { type: 'builtin:openapi', dependencies: { spec: { ref: { kind: 'openapi', spec: 'shop' } } } };
    const space = await makeSpace(rig, { computedSource: source, empty: undefined });
    const pages = get(await read(`/spaces/${space}/content`), 'pages') as Shown[];
    expect(pages).toMatchObject([{ type: 'group', title: 'shop', computed: source, pages: [] }]);
    const refused = async (body: object, path = `${org}/spaces`) => {
      const answer = await rig.send('POST', path, { body });
      return [answer.status, answer.body.error.details?.[0]?.path];
    };
    expect(await refused({ computedSource: source, empty: true })).toEqual([400, 'body.empty']);
    expect(await refused({ computedSource: computedOf('f') })).toEqual([
      400,
      'body.computedSource.dependencies.spec.ref.kind',
    ]);
    const elsewhere = { ...computedOf('f'), dependencies: { spec: { ref: { kind: 'file', file: 'f', space: 's' } } } };
    const changes = [{ operation: 'insert_computed', computed: elsewhere }];
    expect((await refused({ changes }, `/spaces/${space}/content`))[0]).toBe(400);
  });
});
