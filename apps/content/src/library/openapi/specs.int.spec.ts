import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { OpenAPISpec } from '@scriptorium/contracts';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually, startRig, type Person, type Rig } from '../../test/rig.js';

jest.setTimeout(120_000);

const shop = (summary: string, more: object = {}) =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    paths: { '/orders': { get: { summary, responses: { 200: { description: 'x' } } }, ...more } },
  });

describe('OpenAPI specifications', () => {
  let rig: Rig;
  let server: Server;
  let origin = '';
  /** What the other side answers, by path. */
  const pages = new Map<string, string>();
  const asked: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const page = pages.get(request.url ?? '');
      response.statusCode = page === undefined ? 500 : 200;
      response.end(page);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    rig = await startRig({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' });
  }, 60_000);
  afterAll(async () => {
    server.close();
    await rig.stop();
  });

  const path = (rest = '') => `/orgs/${rig.organization}/openapi${rest}`;
  const send = (method: string, rest: string, body?: unknown, by?: Person) =>
    rig.send(method, path(rest), { ...(body !== undefined && { body }), ...(by && { token: by.token }) });
  const specOf = async (slug: string) => OpenAPISpec.parse((await send('GET', `/${slug}`)).body);
  const textOf = async (slug: string, version: string | undefined) =>
    (await fetch(String((await send('GET', `/${slug}/versions/${version}/content`)).body['url']))).text();
  const processed = async (slug: string, after?: string): Promise<OpenAPISpec> => {
    await eventually(async () => {
      const { processingState, lastProcessedAt } = await specOf(slug);
      return processingState === 'complete' && lastProcessedAt !== after;
    });
    return specOf(slug);
  };

  it('are read in the background, become versions, and tell what is wrong with them', async () => {
    const made = await send('POST', '', { slug: 'Shop', source: { text: shop('List orders') } });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ slug: 'Shop', visibility: 'private', permissions: { view: true, edit: true } });
    expect(made.headers.get('location')).toMatch(/\/openapi\/Shop$/);
    const first = await processed('shop');
    expect(first).toMatchObject({ problems: 0, lastProcessedErrors: [] });

    const put = await send('PUT', '/Shop', { source: { text: shop('List', { post: { summary: 7, responses: {} } }) } });
    expect(put.status).toBe(200);
    const second = await processed('Shop', first.lastProcessedAt);
    expect(second.lastVersion).not.toBe(first.lastVersion);
    expect(second.lastProcessedErrors).toEqual([
      expect.objectContaining({ code: 'struct', severity: 'error', line: 1, pointer: '/paths/~1orders/post/summary' }),
    ]);
    const { body: versions } = await send('GET', '/Shop/versions');
    expect(versions).toMatchObject({
      count: 2,
      items: [{ id: second.lastVersion, operations: 2, changes: { added: 1, changed: 1 } }, {}],
    });
    expect((await send('GET', '/Shop/versions/latest')).body).toMatchObject({ id: second.lastVersion });
    const changes = await send('GET', `/Shop/versions/${second.lastVersion}/changes`);
    expect(changes.body).toMatchObject({ count: 2, breaking: 0, from: first.lastVersion, to: second.lastVersion });
    expect(JSON.parse(await textOf('Shop', first.lastVersion))).toMatchObject({
      openapi: '3.1.1',
      info: { title: 'Shop' },
    });
  });

  it('keep their version when a text cannot be read, and when it is the same', async () => {
    await send('PUT', '/kept', { source: { text: shop('a') } });
    const first = await processed('kept');
    await send('PUT', '/kept', { source: { text: '{"openapi":"3.1.0",\n "info": }' } });
    const failed = await processed('kept', first.lastProcessedAt);
    expect(failed).toMatchObject({
      lastVersion: first.lastVersion,
      lastProcessErrorCode: 'PARSE_ERROR',
      lastProcessedErrors: [{ line: 2, column: 10 }],
    });
    await send('PUT', '/kept', { source: { text: `${shop('a')}\n` } });
    const same = await processed('kept', failed.lastProcessedAt);
    expect(same).toMatchObject({ lastVersion: first.lastVersion, problems: 0 });
    expect(same.lastProcessErrorCode).toBeUndefined();
  });

  it('come from URLs with the documents that they refer to, and are read again later', async () => {
    pages.set(
      '/api/openapi.yaml',
      'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths:\n  /pets:\n    get:\n      responses:\n        "200":\n          description: All\n          content:\n            application/json:\n              schema: {$ref: "pets.yaml#/Pet"}\n',
    );
    pages.set('/api/pets.yaml', 'Pet: {type: object, description: A pet.}\n');
    const url = `${origin}/api/openapi.yaml`;
    await send('PUT', '/pets', { source: { url } });
    const spec = await processed('pets');
    expect(spec).toMatchObject({ sourceURL: url, problems: 0, nextProcessingAt: expect.any(String) });
    expect(await textOf('pets', spec.lastVersion)).toContain('A pet.');
  });

  it('tell why a URL cannot be read', async () => {
    await send('PUT', '/away', { source: { url: `${origin}/gone.yaml?token=secret` } });
    const spec = await processed('away');
    expect(spec).toMatchObject({
      lastProcessErrorCode: 'FETCH_ERROR',
      lastProcessedErrors: [{ message: 'The other side answered 500' }],
    });
    expect(spec.lastVersion).toBeUndefined();
  });

  it('have nothing fetched for files and paths of the machine', async () => {
    const before = asked.length;
    const text = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: {},
      components: { schemas: { A: { $ref: 'file:///etc/passwd' }, B: { $ref: '/etc/hostname#/x' } } },
    });
    await send('PUT', '/files', { source: { text } });
    const { lastProcessedErrors = [], lastVersion } = await processed('files');
    expect(lastProcessedErrors.map(({ code }) => code)).toEqual(['no-unresolved-refs', 'no-unresolved-refs']);
    expect(lastVersion).toBeDefined();
    expect(asked.length).toBe(before);
  });

  it('answer two requests at once in their order', async () => {
    await Promise.all(
      ['one', 'two', 'three'].map((summary) => send('PUT', '/race', { source: { text: shop(summary) } })),
    );
    await send('PUT', '/race', { source: { text: shop('last') } });
    await eventually(async () => {
      const { processingState, lastVersion } = await specOf('race');
      return processingState === 'complete' && (await textOf('race', lastVersion)).includes('"summary":"last"');
    });
  });

  it('are shown and hidden, listed and deleted', async () => {
    await send('PUT', '/listed', { source: { text: shop('a') } });
    expect((await send('PATCH', '/listed', {})).body).toMatchObject({ visibility: 'private' });
    expect((await send('PATCH', '/LISTED', { visibility: 'public' })).body).toMatchObject({ visibility: 'public' });
    const { body } = await send('GET', '?visibility=public');
    expect(body).toMatchObject({ count: 1, items: [{ slug: 'listed' }] });
    expect((await send('DELETE', '/listed')).status).toBe(205);
    expect((await send('DELETE', '/listed')).status).toBe(204);
    expect((await send('GET', '/listed')).status).toBe(404);
    expect((await send('GET', '/listed/versions')).status).toBe(404);
  });

  it.each<[string, string, string, unknown, number, string?]>([
    ['no source', 'POST', '', { slug: 'bad', source: {} }, 400, 'body.source'],
    [
      'two sources',
      'POST',
      '',
      { slug: 'bad', source: { url: 'https://example.com/a', text: 'x' } },
      400,
      'body.source',
    ],
    ['an underscore', 'POST', '', { slug: 'my_api', source: { text: 'x' } }, 400, 'body.slug'],
    ['a hyphen in front', 'POST', '', { slug: '-a', source: { text: 'x' } }, 400, 'body.slug'],
    ['a long slug', 'PUT', `/${'a'.repeat(101)}`, { source: { text: 'x' } }, 400, 'params.specSlug'],
    [
      'a path of the machine',
      'POST',
      '',
      { slug: 'bad', source: { url: 'file:///etc/passwd' } },
      400,
      'body.source.url',
    ],
    ['a password', 'POST', '', { slug: 'bad', source: { url: 'https://a:b@example.com/' } }, 400, 'body.source.url'],
    ['an inner address', 'POST', '', { slug: 'bad', source: { url: 'http://10.0.0.1/' } }, 400, 'body.source.url'],
    ['another case', 'PUT', '/taken', { source: { text: 'x' } }, 409, 'params.specSlug'],
    ['a slug that is taken', 'POST', '', { slug: 'TAKEN', source: { text: 'x' } }, 409, 'body.slug'],
    ['an unknown visibility', 'PATCH', '/Taken', { visibility: 'unlisted' }, 400, 'body.visibility'],
    ['nothing to change', 'PATCH', '/nothing', { visibility: 'public' }, 404],
    ['a version that is not there', 'GET', '/Taken/versions/nothing', undefined, 404],
  ])('refuse %s', async (_what, method, ...[rest, body, status, field]) => {
    await send('PUT', '/Taken', { source: { text: shop('a') } });
    const answer = await send(method, rest, body);
    expect(answer.status).toBe(status);
    if (field !== undefined) expect(answer.body).toMatchObject({ error: { details: [{ path: field }] } });
  });
});
