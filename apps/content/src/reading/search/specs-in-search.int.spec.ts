import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startIssuer, type TokenIssuer } from '@scriptorium/testing/token-issuer';
import { changeContentOf, page } from '../../test/pages.js';
import { eventually, get, startRig, type Rig } from '../../test/rig.js';
import { makeSpace } from '../../test/spaces.js';
import { computedOf, specFile } from '../../test/specifications.js';
import { putSpec } from '../../test/specs.js';

jest.setTimeout(120_000);

const shop = (words: { title: string; path: string; property: string }) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    [words.path]: {
      get: {
        tags: ['Orders'],
        summary: words.title,
        description: 'Only with marmalade.',
        parameters: [{ name: 'pagenumber', in: 'query', schema: { type: 'integer' } }],
        responses: {
          200: {
            description: 'All',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
        },
      },
      delete: { 'x-internal': true, tags: ['Orders'], summary: 'Sesame', responses: {} },
    },
  },
  components: { schemas: { Order: { properties: { [words.property]: { type: 'string' } } } } },
});
const first = shop({ title: 'Listing', path: '/purchases', property: 'ingredient' });
const block =
  '{% openapi-operation spec="found" path="/purchases" method="get" %}\n{% endopenapi-operation %}\n\n{% openapi-schemas spec="found" schemas="Order" %}\n{% endopenapi-schemas %}';

const paid = '{% openapi-operation spec="paid" path="/paid" method="get" %}\n{% endopenapi-operation %}';

describe('searching for what specifications say', () => {
  let rig: Rig;
  let issuer: TokenIssuer;
  let space: string;
  beforeAll(async () => {
    rig = await startRig();
    issuer = await startIssuer(rig);
    await putSpec(rig, 'found', first);
    space = await makeSpace(rig);
    const ref = { kind: 'openapi', spec: 'found' };
    await changeContentOf(rig, space, [
      page('Written', block),
      page('Other', 'Nothing.'),
      {
        operation: 'insert_computed',
        title: 'API',
        computed: { type: 'builtin:openapi', dependencies: { spec: { ref } } },
      },
    ]);
  }, 60_000);
  afterAll(async () => {
    await issuer.close();
    await rig.stop();
  });

  const find = async (query: string, token?: string): Promise<string[]> => {
    const by = token === undefined ? {} : { token };
    const { body } = await rig.send('GET', `/spaces/${space}/search?query=${encodeURIComponent(query)}`, by);
    return (get(body, 'items') as { path: string }[]).map(({ path }) => path).sort();
  };
  const both = ['api/orders', 'written'];

  it.each([
    ['a title', 'listing'],
    ['a description', 'marmalade'],
    ['a path', 'purchases'],
    ['a method and a path', 'get purchases'],
    ['a parameter', 'pagenumber'],
    ['a property', 'ingredient'],
  ])('finds pages by %s', async (_what, query) => {
    expect(await find(query)).toEqual(both);
    expect(await find(query, await issuer.visit([space]))).toEqual(both);
  });

  it('finds pages that were edited or added after a search', async () => {
    const edited = await makeSpace(rig);
    const ids = await changeContentOf(rig, edited, [page('Edited', block, { ref: 'edited' })]);
    const count = async () => (await rig.send('GET', `/spaces/${edited}/search?query=marmalade`)).body['count'];
    expect(await count()).toBe(1);
    const document = { markdown: `Some words.\n\n${block}` };
    await changeContentOf(rig, edited, [
      { operation: 'update_page', page: ids['edited'] ?? '', document },
      page('Added', block),
    ]);
    expect(await count()).toBe(2);
  });

  it('finds for visitors what conditions show them, and nothing else', async () => {
    await putSpec(rig, 'paid', shop({ title: 'Listing', path: '/paid', property: 'tangerine' }));
    const conditional = await makeSpace(rig);
    await changeContentOf(rig, conditional, [
      page('Conditional', `{% if visitor.claims.plan == "paid" %}\n${paid}\n{% endif %}`),
    ]);
    const count = async (claims?: object) => {
      const by = claims === undefined ? {} : { token: await issuer.visit([conditional], claims) };
      return (await rig.send('GET', `/spaces/${conditional}/search?query=tangerine`, by)).body['count'];
    };
    expect([await count(), await count({ plan: 'paid' }), await count({})]).toEqual([1, 1, 0]);
  });

  it('finds pages by parameters and properties of specifications that are files, as these are now', async () => {
    const own = await makeSpace(rig);
    const text = (property: string) => JSON.stringify(shop({ title: 'Filed', path: '/filed', property }));
    const shown = '{% openapi src="/files/spec" path="/filed" method="get" %}\n{% endopenapi %}';
    const ids = await changeContentOf(rig, own, [
      { operation: 'insert_files', files: [specFile(text('quince'), { ref: 'spec' }), specFile('{', { ref: 'none' })] },
      page('Written', `${shown}\n\n${shown.replace('files/spec', 'files/none')}`),
      { operation: 'insert_computed', title: 'API', computed: computedOf('spec') },
    ]);
    const found = async (query: string, token?: string): Promise<string[]> => {
      const by = token === undefined ? {} : { token };
      const { body } = await rig.send('GET', `/spaces/${own}/search?query=${query}`, by);
      return (get(body, 'items') as { path: string }[]).map(({ path }) => path).sort();
    };
    for (const token of [undefined, await issuer.visit([own])]) {
      expect(await found('pagenumber', token)).toEqual(['api/orders', 'written']);
      expect(await found('quince', token)).toEqual(['api/models', 'api/orders', 'written']);
      expect(await found('sesame', token)).toEqual([]);
    }
    const { body } = await rig.send('GET', `/spaces/${own}/search?query=pagenumber`);
    expect(JSON.stringify(get(body, 'items.1.sections'))).toContain('pagenumber');
    const { name: _, ...content } = specFile(text('medlar'));
    await changeContentOf(rig, own, [{ operation: 'update_file', file: ids['spec'] ?? '', ...content }]);
    expect([await found('quince'), await found('medlar')]).toEqual([[], ['api/models', 'api/orders', 'written']]);
  });

  it('shows where, and nothing that is internal', async () => {
    const { body } = await rig.send('GET', `/spaces/${space}/search?query=marmalade`);
    const bodies = (get(body, 'items') as { sections: { body: string }[] }[]).map(({ sections }) => sections[0]?.body);
    expect(bodies.every((text) => text?.includes('marmalade'))).toBe(true);
    expect(await find('sesame')).toEqual([]);
    const { body: all } = await rig.send('GET', `/orgs/${rig.organization}/search?query=ingredient`);
    expect(JSON.stringify(get(all, 'items'))).toContain('written');
  });

  it('finds what the newest version says, and not what an earlier one said', async () => {
    expect(await find('ingredient')).toEqual(both);
    await putSpec(rig, 'found', shop({ title: 'Listing', path: '/purchases', property: 'sweetness' }));
    await eventually(async () => (await find('sweetness')).length === 2);
    expect(await find('ingredient')).toEqual([]);
    await rig.send('DELETE', `/orgs/${rig.organization}/openapi/found`);
    await eventually(async () => (await find('sweetness')).length === 0);
    // The page names it itself.
    expect(await find('purchases')).toEqual(['written']);
  });
});
