import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';
import { rendered, withIntegrations } from '../test/with-integration.js';

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

/** Opens an address on a host of which no server of names knows. */
async function openOnHost({ host, port }: URL, path: string): Promise<{ text: string; headers: Headers }> {
  const request = get({ host: '127.0.0.1', port, path, headers: { host } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const policy = String(response.headers['content-security-policy']);
  return { text: await textOf(response), headers: new Headers({ 'content-security-policy': policy }) };
}

/** How often the integration `good` was asked. */
let asked = 0;
const seen = withIntegrations({
  good: () => {
    asked += 1;
    return Response.json(rendered);
  },
  broken: () => Response.json({ error: { reason: 'integration_failed', message: 'It has failed' } }, { status: 502 }),
  slow: () => new Promise(() => undefined),
});
const blockOf = (name: string) => `{% @${name}/plot title="${name} title" url="https://${name}.example/1" %}`;

describe('operations of a specification on a site', () => {
  let world: ReaderRig;
  let address: string;
  let site: { id: string };
  beforeAll(async () => {
    world = await startReaderRig({}, seen);
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
      ...['good', 'broken', 'slow', 'ended'].map((name) => ({
        operation: 'insert_page',
        title: `With ${name}`,
        document: { markdown: blockOf(name) },
      })),
    ]);
    site = await world.publish({ title: 'Docs', spaces: [id] });
    address = `${world.origin}/~site/${site.id}/`;
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

  describe('beside blocks of integrations', () => {
    const policyOf = ({ headers }: { headers: Headers }): string => headers.get('content-security-policy') ?? '';

    it('that are rendered, and have frames on the host of the site alone, from the origin that they use', async () => {
      const shared = await world.open(`${address}with-good`);
      expect(shared.text).toContain('<strong>Renderedword</strong>');
      expect(shared.text).toContain('<p class="card"><a href="https://frames.example/chart?of=1"');
      expect(`${shared.text}${policyOf(shared)}`).not.toMatch(/<iframe|frame-src/);
      const own = new URL(await world.onOwnHost(site));
      const openThere = (path: string) => openOnHost(own, `/${path}`);
      const alone = await openThere('with-good');
      expect(alone.text).toContain(
        '<iframe src="https://frames.example/chart?of=1" title="good title" loading="lazy" referrerpolicy="no-referrer" sandbox="allow-scripts allow-forms allow-popups">',
      );
      expect(policyOf(alone)).toBe(
        policyOf(shared).replace("; form-action 'self'", "; frame-src https://frames.example; form-action 'self'"),
      );
      expect(policyOf(await openThere('with-ended'))).toBe(policyOf(shared));
      // The same is shown to all, so nobody is asked again.
      expect(asked).toBe(1);
    });

    it('that are cards while the integration fails or takes long, and when it has ended', async () => {
      for (const name of ['broken', 'slow']) {
        const { status, text } = await world.open(`${address}with-${name}`);
        expect(status).toBe(200);
        expect(text).toContain(`<a href="https://${name}.example/1" rel="noopener noreferrer"><img src="https://files`);
        expect(text).toContain(`${name} title</a><p>Plots &#x26; more</p>`);
        expect(text).toContain(`<small>${name}.example · Integration: Acme</small>`);
      }
      const { text } = await world.open(`${address}with-ended`);
      expect(text).toContain('ended title</a><p><small>ended.example · Integration: ended</small></p></figure>');
    });

    it('that are text in markdown, of a page and of the whole site', async () => {
      const line = '[good title](https://good.example/1): Plots & more';
      expect((await world.open(`${address}with-good.md`)).text).toContain(line);
      const whole = (await world.open(`${address}llms-full.txt`)).text;
      expect(whole).toContain(line);
      expect(whole).toContain('[ended title](https://ended.example/1)');
      expect(whole).not.toContain('{% @');
    });
  });
});
