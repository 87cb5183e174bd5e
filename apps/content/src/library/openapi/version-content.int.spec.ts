import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { OpenAPISpec, OpenAPISpecContent, specBounds } from '@scriptorium/contracts';
import { compile } from '@scriptorium/openapi';
import { specsOf } from '../../test/openapi-specs.js';
import { eventually, get, startRig, type Person, type Rig } from '../../test/rig-with-store.js';
import { shop } from '../../test/specifications.js';

jest.setTimeout(180_000);

describe('the content of a version of an OpenAPI specification', () => {
  let rig: Rig;
  let specs: ReturnType<typeof specsOf>;
  let reader: Person;
  let guest: Person;
  let stranger: Person;
  beforeAll(async () => {
    rig = await startRig({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8' });
    specs = specsOf(rig);
    reader = await rig.member('Rita Reader', 'read');
    guest = await rig.member('Gus Guest', null);
    stranger = await rig.person('Sam Stranger');
  }, 60_000);
  afterAll(() => rig.stop());

  const internal = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/open': { get: { summary: 'Seen', responses: { 200: { description: 'x' } } } },
      '/closed': { get: { 'x-internal': true, summary: 'Marmalade', responses: { 200: { description: 'x' } } } },
    },
  });
  const contentOf = async (slug: string, version = 'latest', by?: Person) =>
    OpenAPISpecContent.parse(
      (await specs.send('GET', `/${slug}/versions/${version}/content`, by === undefined ? {} : { by })).body,
    );
  const statusOf = async (rest: string, by: Person) => (await specs.send('GET', rest, { by })).status;

  it('has an address for a while, without what is internal; its text is for those who may give it', async () => {
    const { lastVersion } = await specs.given('open', { text: internal });
    const content = await contentOf('open', lastVersion, reader);
    expect(await contentOf('open')).toEqual(content);
    expect(content).toMatchObject({ urls: { source: content.url, public: null } });
    const answer = await fetch(content.url);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.1', paths: { '/open': {} } });
    expect(text).not.toContain('Marmalade');
    const forged = new URL(content.url);
    forged.searchParams.set('signature', 'k1.0123456789abcdef0123456789abcdef');
    expect((await fetch(forged)).status).toBe(403);
    const { body: version } = await specs.send('GET', '/open/versions/latest', { by: reader });
    expect(version['url']).toBe(content.url);
    for (const id of ['latest', lastVersion ?? '']) {
      const raw = await specs.send('GET', `/open/versions/${id}/content/raw`);
      expect(raw.body).toEqual({ text: internal, format: 'json' });
      expect(await statusOf(`/open/versions/${id}/content/raw`, reader)).toBe(403);
      for (const rest of ['', '/content', '/content/raw']) {
        expect(await statusOf(`/open/versions/${id}${rest}`, guest)).toBe(404);
        expect(await statusOf(`/open/versions/${id}${rest}`, stranger)).toBe(404);
      }
    }
    const yaml = 'openapi: 3.1.0\ninfo: {title: Yaml, version: "1"}\npaths: {}\n';
    await specs.given('yaml', { text: yaml });
    expect((await specs.send('GET', '/yaml/versions/latest/content/raw')).body).toEqual({ text: yaml, format: 'yaml' });
    await specs.given('empty', { text: 'openapi' });
    for (const rest of ['/content', '/content/raw'])
      expect((await specs.send('GET', `/empty/versions/latest${rest}`)).status).toBe(404);
    for (const rest of ['', '/content', '/content/raw']) {
      const { status, body } = await specs.send('GET', `/empty/versions/latest${rest}`);
      expect([status, get(body, 'error.message')]).toEqual([404, expect.stringContaining('has no version yet')]);
    }
  });

  it('is at an address for everybody as long as the specification is public', async () => {
    const made = await specs.given('public', { text: internal });
    expect(made.urls.published).toBeUndefined();
    const shown = OpenAPISpec.parse((await specs.send('PATCH', '/public', { body: { visibility: 'public' } })).body);
    const { published = '' } = shown.urls;
    const content = await contentOf('public');
    const origin = new URL(content.url).origin;
    expect(published).toBe(`${origin}/openapi/${rig.organization}/public.json`);
    expect(content.urls.public).toBe(published);
    const json = await fetch(published, { headers: { origin: 'https://page.example' } });
    const tag = json.headers.get('etag') ?? '';
    expect([json.status, json.headers.get('access-control-allow-origin'), tag]).toEqual([
      200,
      '*',
      `"${content.filesystem['openapi.json']?.hash}"`,
    ]);
    const document = (await json.json()) as object;
    expect(JSON.stringify(document)).not.toContain('Marmalade');
    const yaml = await fetch(published.replace('.json', '.yaml'));
    expect([yaml.status, yaml.headers.get('content-type'), yaml.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'application/yaml',
      '*',
    ]);
    const text = await yaml.text();
    expect(text).toMatch(/^openapi: 3\.1\.1$/m);
    expect(await compile(text)).toMatchObject({ format: 'yaml', document: { hash: tag.slice(1, -1) } });
    const part = await fetch(published.replace('.json', '.yaml'), { headers: { range: 'bytes=0-6' } });
    expect([part.status, part.headers.get('etag'), await part.text()]).toEqual([
      206,
      yaml.headers.get('etag'),
      'openapi',
    ]);
    const written = { hash: yaml.headers.get('etag')?.slice(1, -1) ?? '' };
    expect(await rig.store.database.collection('op_files').countDocuments(written)).toBe(1);
    for (const [url, etag] of [
      [published, tag],
      [published.replace('.json', '.yaml'), yaml.headers.get('etag') ?? ''],
    ] as const) {
      expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
      expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
      expect((await fetch(url.replace('public.', 'PUBLIC.'))).status).toBe(200);
      expect((await fetch(url.replace('public.', 'open.'))).status).toBe(404);
      expect((await fetch(url.replace('public.', 'none.'))).status).toBe(404);
      expect((await fetch(url.replace(rig.organization, 'other'))).status).toBe(404);
    }
    await specs.send('PATCH', '/public', { body: { visibility: 'private' } });
    expect((await fetch(published)).status).toBe(404);
    expect((await fetch(published.replace('.json', '.yaml'), { headers: { 'if-none-match': '*' } })).status).toBe(404);
    await specs.send('PATCH', '/public', { body: { visibility: 'public' } });
    expect((await fetch(published)).status).toBe(200);
    await specs.send('DELETE', '/public');
    expect((await fetch(published)).status).toBe(404);
  });

  it('is kept of the newest 50 versions', async () => {
    const { lastVersion: first = '' } = await specs.given('many', { text: shop('0') });
    await specs.send('PATCH', '/many', { body: { visibility: 'public' } });
    const { published = '' } = (await specs.get('many')).urls;
    const yamlOf = async () => (await fetch(published.replace('.json', '.yaml'))).headers.get('etag')?.slice(1, -1);
    const hash = (await yamlOf()) ?? '';
    const { lastVersion: second = '' } = await specs.given('many', { text: shop('1') });
    const later = (await yamlOf()) ?? '';
    expect(new Set(['', hash, later]).size).toBe(3);
    const kept = (await contentOf('many', first)).url;
    for (let n = 2; n <= specBounds.versions; n += 1) await specs.given('many', { text: shop(String(n)) });
    for (const rest of ['/content', '/content/raw', `/changes?from=${second}`]) {
      const { status, body } = await specs.send('GET', `/many/versions/${first}${rest}`);
      expect([status, body.error.reason]).toEqual([410, 'gone']);
    }
    expect((await specs.send('GET', `/many/versions/${second}/changes`)).status).toBe(410);
    const listed = (await specs.send('GET', '/many/versions?limit=100')).body.items;
    expect(listed.length).toBe(specBounds.versions + 1);
    expect(listed.filter(({ url }) => url === undefined).map(({ id }) => id)).toEqual([first]);
    await eventually(async () => (await fetch(kept)).status === 404);
    const stored = (name: string) => rig.store.database.collection('op_files').countDocuments({ hash: name });
    await eventually(async () => (await stored(hash)) === 0);
    expect(await stored(later)).toBe(1);
    expect((await fetch((await contentOf('many', second)).url)).status).toBe(200);
  });
});
