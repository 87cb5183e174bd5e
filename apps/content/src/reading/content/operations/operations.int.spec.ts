import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startIssuer, type TokenIssuer } from '@scriptorium/testing/token-issuer';
import { changeContentOf, page } from '../../../test/pages.js';
import { eventually, get, startRig, type Rig } from '../../../test/rig.js';
import { makeSpace, refusal } from '../../../test/spaces.js';
import { specFile, specificationWith } from '../../../test/specifications.js';
import { putSpec } from '../../../test/specs.js';

jest.setTimeout(120_000);

interface Resolved {
  spec: string;
  version: string;
  operation?: { method: string; path: string; operation: { summary?: string } };
  schemas: Record<string, unknown>;
  truncated?: true;
}

const content = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
const shop = (summary: string) => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/orders': {
      get: {
        summary,
        parameters: [
          { name: 'limit', in: 'query', description: 'At most so many.', schema: { type: 'integer' } },
          { name: 'sesame', in: 'query', 'x-internal': true, description: 'Abracadabra', schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'All of them', content: content('Order') } },
      },
      post: { summary: 'Make an order', requestBody: { content: content('Order') }, responses: {} },
      delete: { 'x-internal': true, summary: 'Abracadabra', responses: {} },
    },
  },
  webhooks: { made: { post: { summary: 'An order was made', requestBody: { content: content('Order') } } } },
  components: {
    schemas: {
      Order: {
        properties: {
          name: { type: 'string', example: 'jam', description: 'Of what.' },
          sesame: { type: 'string', 'x-internal': true },
          next: { $ref: '#/components/schemas/Order' },
        },
      },
      Sesame: { 'x-internal': true, type: 'object' },
    },
  },
});
const operation = (spec: string, method: string, path = '/orders') =>
  `{% openapi-operation spec="${spec}" path="${path}" method="${method}" %}\n{% endopenapi-operation %}`;

describe('blocks that show parts of specifications', () => {
  let rig: Rig;
  let issuer: TokenIssuer;
  beforeAll(async () => {
    rig = await startRig();
    issuer = await startIssuer(rig);
  }, 60_000);
  afterAll(async () => {
    await issuer.close();
    await rig.stop();
  });

  const pageOf = async (markdown: string, more: object[] = []): Promise<{ space: string; path: string }> => {
    const space = await makeSpace(rig);
    const ids = await changeContentOf(rig, space, [...more, page('Orders', markdown, { ref: 'orders' })]);
    return { space, path: `/spaces/${space}/content/page/${ids['orders'] ?? ''}` };
  };
  const query = '?format=document&dereferenced=true';
  const resolvedIn = (body: object) =>
    (get(body, 'document.nodes') as { type: string; data: { resolved?: Resolved | null } }[])
      .filter(({ type }) => /openapi|swagger/.test(type))
      .map(({ data }) => data.resolved);
  const read = async (path: string, token?: string) => {
    const answer = await rig.send('GET', `${path}${query}`, token === undefined ? {} : { token });
    expect(answer.status).toBe(200);
    return { blocks: resolvedIn(answer.body), etag: answer.headers.get('etag'), text: JSON.stringify(answer.body) };
  };

  it('have it with them when they are dereferenced, with schemas by name, each once', async () => {
    const version = await putSpec(rig, 'Blocks', shop('List orders'));
    const webhook = '{% openapi-webhook spec="blocks" name="made" method="post" %}\n{% endopenapi-webhook %}';
    const schemas = '{% openapi-schemas spec="blocks" schemas="Order" %}\n{% endopenapi-schemas %}';
    const { path } = await pageOf(
      [operation('blocks', 'get'), operation('BLOCKS', 'POST'), webhook, schemas].join('\n\n'),
    );
    const { blocks } = await read(path);
    const [list, make, made, order] = blocks;
    expect(list).toMatchObject({
      spec: 'Blocks',
      version,
      operation: { method: 'get', path: '/orders', operation: { summary: 'List orders' } },
      schemas: { Order: { properties: { next: { $ref: '#/components/schemas/Order' } } } },
    });
    expect([make?.operation?.operation.summary, make?.schemas]).toEqual(['Make an order', {}]);
    expect([made?.operation?.operation.summary, order]).toEqual([
      'An order was made',
      { spec: 'Blocks', version, schemas: {} },
    ]);
    const plain = await rig.send('GET', `${path}?format=document`);
    expect(resolvedIn(plain.body)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('change with it, and so does the entity tag', async () => {
    await putSpec(rig, 'changing', shop('List orders'));
    const { path } = await pageOf(operation('changing', 'get'));
    const before = await read(path);
    const version = await putSpec(rig, 'changing', shop('Show purchases'));
    await eventually(async () => (await read(path)).blocks[0]?.version === version);
    const after = await read(path);
    expect(after.etag).not.toBe(before.etag);
    expect(after.blocks[0]?.operation?.operation.summary).toBe('Show purchases');
    expect((await read(path)).etag).toBe(after.etag);
  });

  it('say of what is missing that it is', async () => {
    await putSpec(rig, 'partly', shop('List orders'));
    const schemas = '{% openapi-schemas spec="partly" schemas="Order,Gone" %}\n{% endopenapi-schemas %}';
    const parts = [operation('partly', 'get'), operation('partly', 'delete'), operation('none', 'get'), schemas];
    const { space, path } = await pageOf(parts.join('\n\n'));
    const { blocks } = await read(path);
    expect(blocks.map((one) => one === null)).toEqual([false, true, true, false]);
    const { body: links } = await rig.send('GET', `/spaces/${space}/links`);
    const items = get(links, 'items') as {
      status: string;
      relation: string;
      reference: { spec: string };
      locationReferences: object[];
    }[];
    const seen = items.map(({ status, relation, reference, locationReferences }) => [
      status,
      relation,
      reference.spec,
      locationReferences.length,
    ]);
    expect(seen).toEqual([
      ['ok', 'dependsOn', 'partly', 1],
      ['broken', 'dependsOn', 'partly', 2],
      ['broken', 'dependsOn', 'none', 1],
    ]);
    expect(get(links, 'stats')).toMatchObject({ total: 3, broken: { total: 2 } });
  });

  it('show operations of files of the space, too', async () => {
    const files = [
      specFile(JSON.stringify(shop('List orders')), { ref: 'spec' }),
      specFile('no', { name: 'b', ref: 'no' }),
    ];
    const block = (ref: string) => `{% openapi src="/files/${ref}" path="/orders" method="get" %}\n{% endopenapi %}`;
    const { path } = await pageOf(`${block('spec')}\n\n${block('no')}`, [{ operation: 'insert_files', files }]);
    const [list, none] = (await read(path)).blocks;
    expect([list?.operation?.operation.summary, Object.keys(list?.schemas ?? {}), none]).toEqual([
      'List orders',
      ['Order'],
      null,
    ]);
  });

  it('leave out schemas that are too much for a page', async () => {
    await putSpec(rig, 'large', specificationWith({ operations: 60, tags: 1, words: 800 }));
    const blocks = Array.from({ length: 60 }, (_, place) => operation('large', 'get', `/things/${place}`));
    const { path } = await pageOf(blocks.join('\n\n'));
    const shown = (await read(path)).blocks;
    expect(JSON.stringify(shown).length).toBeLessThan(1024 * 1024);
    expect(shown.every((one) => one?.operation !== undefined)).toBe(true);
    const cut = shown.filter((one) => one?.truncated === true);
    expect(cut.length).toBeGreaterThan(0);
    for (const one of cut) expect(one?.schemas).toEqual({});
  });

  it('are read by visitors of the pages, and by them alone; what is internal is nowhere', async () => {
    await putSpec(rig, 'visited', shop('List orders'));
    await putSpec(rig, 'unused', shop('List secrets'));
    const schemas = '{% openapi-schemas spec="visited" schemas="Sesame" %}\n{% endopenapi-schemas %}';
    const { space, path } = await pageOf(`${operation('visited', 'get')}\n\n${schemas}`);
    const token = await issuer.visit([space]);
    const { blocks, text } = await read(path, token);
    expect([blocks[0]?.operation?.operation.summary, blocks[1]]).toEqual(['List orders', null]);
    expect(text.replace('"schemas":["Sesame"]', '')).not.toMatch(/sesame|abracadabra/i);
    const org = `/orgs/${rig.organization}/openapi`;
    for (const one of ['visited', 'visited/versions/latest']) {
      const refused = await rig.send('GET', `${org}/${one}`, { token });
      expect([401, 403, 404]).toContain(refused.status);
    }
    const computed = (spec: string) => ({
      source: {
        type: 'builtin:openapi',
        props: { doc: 'operations', page: 'default' },
        dependencies: { spec: { ref: { kind: 'openapi', spec } } },
      },
    });
    const compute = (spec: string, within = space, by = token) =>
      rig.send('POST', `/spaces/${within}/content/computed/document`, { body: computed(spec), token: by });
    // One operation on a page does not show all the others.
    for (const one of ['visited', 'unused'])
      expect(refusal(await compute(one))).toEqual([404, 'not_found', 'body.source.dependencies.spec.ref']);
    const { type, dependencies } = computed('visited').source;
    const all = { operation: 'insert_computed', title: 'All', computed: { type, dependencies } };
    const whole = await pageOf('Orders', [all]);
    expect((await compute('visited', whole.space, await issuer.visit([whole.space]))).status).toBe(200);
    const found = async (word: string) =>
      (await rig.send('GET', `/spaces/${space}/search?query=${word}`, { token })).body['count'];
    expect([await found('limit'), await found('abracadabra')]).toEqual([1, 0]);
  });

  it('are markdown with what they show when they are dereferenced, and stay blocks without', async () => {
    await putSpec(rig, 'written', shop('List orders'));
    const schemas = '{% openapi-schemas spec="written" schemas="Order" %}\n{% endopenapi-schemas %}';
    const { path } = await pageOf([operation('written', 'get'), operation('written', 'post'), schemas].join('\n\n'));
    const markdown = async (more = '') =>
      String((await rig.send('GET', `${path}?format=markdown${more}`)).body['markdown']);
    expect(await markdown()).toContain('{% openapi-operation spec="written" path="/orders" method="get" %}');
    const shown = await markdown('&dereferenced=true');
    expect(shown).toContain('List orders\n\n`GET /orders`');
    expect(shown).toMatch(/\| `limit` +\| query +\| integer +\| At most so many\. +\|/);
    expect(shown).toMatch(/\| `200` +\| All of them +\|/);
    expect(shown).toContain('"name": "jam"');
    expect(shown).toMatch(/\| `name` +\| string +\| Of what\. +\|/);
    expect(shown).not.toMatch(/openapi-operation|sesame/i);
  });
});
