import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } };
const shop = (summary: string, tag = 'Orders') => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.example' }],
  paths: {
    '/orders/{id}': {
      get: {
        tags: [tag],
        summary,
        description: 'The newest first.',
        parameters: [
          { name: 'id', in: 'path', required: true, description: 'Which one.', schema: { type: 'string' } },
          { name: 'secretword', in: 'query', 'x-internal': true, schema: { type: 'string' } },
        ],
        responses: { 200: { description: 'The order', content }, 404: { description: 'There is none' } },
      },
      delete: { 'x-internal': true, tags: ['Hidden'], summary: 'Secretword', responses: {} },
    },
  },
  components: {
    schemas: {
      Order: {
        properties: { jam: { type: 'string', example: 'plum' }, secretword: { 'x-internal': true, type: 'string' } },
      },
    },
  },
});

describe('operations of a specification on a site', () => {
  let world: ReaderRig;
  let address: string;
  beforeAll(async () => {
    world = await startReaderRig();
    await put('shop', shop('Get an order'));
    const operation =
      '{% openapi-operation spec="shop" path="/orders/{id}" method="get" %}\n{% endopenapi-operation %}';
    const spec = { ref: { kind: 'openapi', spec: 'shop' } };
    const { id } = await world.space('Guide', [
      { operation: 'insert_page', title: 'Written', document: { markdown: operation } },
      {
        operation: 'insert_computed',
        title: 'API',
        computed: { type: 'builtin:openapi', props: { models: true, downloadLink: true }, dependencies: { spec } },
      },
    ]);
    address = (await world.publish({ title: 'Docs', spaces: [id] })).address;
  }, 90_000);
  afterAll(() => world.stop());

  const put = async (slug: string, specification: object): Promise<void> => {
    const path = `/orgs/${world.rig.organization}/openapi/${slug}`;
    const before = (await world.rig.send('GET', path)).body['lastProcessedAt'];
    await world.make('PUT', path, { source: { text: JSON.stringify(specification) } });
    await eventually(async () => {
      const { body } = await world.rig.send('GET', path);
      return body['processingState'] === 'complete' && body['lastProcessedAt'] !== before;
    });
  };

  it('are cards with parameters, responses and samples', async () => {
    const { status, text } = await world.open(`${address}written`);
    expect(status).toBe(200);
    expect(text).toContain('<p class="call call-get"><strong class="method">GET</strong>');
    expect(text).toMatch(/<strong>Get an order<\/strong>.*The newest first\./s);
    expect(text).toMatch(/Path parameters<\/h2>.*<code class="name">id<\/code>.*Which one\./s);
    expect(text).toMatch(/Responses<\/h2>.*<strong class="status status-2">200.*status-4">404/s);
    expect(text).toMatch(/Request samples<\/h2>.*curl.*shop\.example/s);
    expect(text).toMatch(/<code class="name">jam<\/code>/);
  });

  it('stand under their titles on computed pages, which have the models, too', async () => {
    const { text } = await world.open(`${address}api/orders`);
    expect(text.match(/Get an order/g)?.length).toBeLessThanOrEqual(2);
    expect(text).not.toContain('<strong>Get an order</strong>');
    expect(text).toContain('<code class="name">id</code>');
    expect(text).not.toContain('/openapi/');
    expect((await world.open(`${address}api/models`)).text).toMatch(
      /id="schema-Order".*<code class="name">jam<\/code>/s,
    );
  });

  it('are markdown for programs', async () => {
    const { text } = await world.open(`${address}written.md`);
    expect(text).toContain('`GET /orders/{id}`');
    expect(text).toMatch(/\| `id` +\| path +\| string, required +\| Which one\. +\|/);
    expect(text).toMatch(/\| `404` +\| There is none +\|/);
    const { text: computed } = await world.open(`${address}api/orders.md`);
    expect(computed).toContain('## Get an order\n\nThe newest first.\n\n`GET /orders/{id}`');
    expect((await world.open(`${address}llms.txt`)).text).toContain(`${address}api/orders.md`);
  });

  it('are found, and nothing that is internal is anywhere', async () => {
    expect((await world.open(`${address}~search?q=jam`)).text).toContain('api/orders');
    const paths = ['written', 'written.md', 'api/orders', 'api/orders.md', 'api/models', 'llms.txt', 'sitemap.xml'];
    for (const path of paths) expect((await world.open(`${address}${path}`)).text).not.toMatch(/secretword/i);
    expect((await world.open(`${address}~search?q=secretword`)).text).not.toContain('api/');
  });

  it('change with the specification within two seconds, and so do the pages that there are', async () => {
    expect((await world.open(`${address}api/purchases`)).status).toBe(404);
    const { headers } = await world.open(`${address}written`);
    const etag = headers.get('etag') ?? '';
    expect((await world.open(`${address}written`, { 'if-none-match': etag })).status).toBe(304);
    await put('shop', shop('Show a purchase', 'Purchases'));
    const changed = Date.now();
    await eventually(async () => (await world.open(`${address}written`, { 'if-none-match': etag })).status === 200);
    expect(Date.now() - changed).toBeLessThan(2_000);
    expect((await world.open(`${address}written`)).text).toContain('<strong>Show a purchase</strong>');
    expect((await world.open(`${address}api/purchases`)).text).toContain('Show a purchase');
  });

  it('lead to the whole of a specification once it is public', async () => {
    await world.make('PATCH', `/orgs/${world.rig.organization}/openapi/shop`, { visibility: 'public' });
    await eventually(async () => (await world.open(`${address}api/purchases`)).text.includes('/openapi/'));
    const { text } = await world.open(`${address}api/purchases`);
    expect(text).toContain(`href="${world.origin}/openapi/${world.rig.organization}/shop.json"`);
  });
});
