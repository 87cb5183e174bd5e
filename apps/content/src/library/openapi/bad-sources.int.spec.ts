import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { specBounds } from '@scriptorium/contracts';
import { specsOf } from '../../test/openapi-specs.js';
import { startOtherSide, type OtherSide } from '../../test/other-side.js';
import { startRig, type Rig } from '../../test/rig-with-store.js';
import { shop } from '../../test/specifications.js';

jest.setTimeout(180_000);

const aliases = `a0: &a0 [x]\n${Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [${Array(10).fill(`*a${n}`).join(', ')}]\n`).join('')}`;
const selfReference = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  paths: {},
  components: { schemas: { A: { $ref: '#/components/schemas/A' } } },
});

describe('a source that is no specification', () => {
  let rig: Rig;
  let other: OtherSide;
  let specs: ReturnType<typeof specsOf>;
  beforeAll(async () => {
    other = await startOtherSide();
    rig = await startRig({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.1/32' });
    specs = specsOf(rig);
    const { pages } = other;
    pages.set('/inside', (response) => response.writeHead(302, { location: 'http://10.1.2.3/secret' }).end());
    pages.set('/html', '<!doctype html><html><body><p>Sign in</p></body></html>');
    const bomb = gzipSync(Buffer.alloc(specBounds.textBytes + 1, ' '));
    pages.set('/bomb', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    pages.set('/large', ' '.repeat(specBounds.textBytes + 1));
  }, 60_000);
  afterAll(async () => {
    await rig.stop();
    other.stop();
  });

  it.each([
    ['redirect', '/inside', 'FETCH_ERROR', 'The other side redirects to an address that is not allowed'],
    ['page', '/html', 'PARSE_ERROR', 'It is no object'],
    ['bomb', '/bomb', 'FETCH_ERROR', 'larger than 20 MiB'],
    ['large', '/large', 'FETCH_ERROR', 'larger than 20 MiB'],
  ])('is told at a URL: %s', async (slug, path, code, message) => {
    const spec = await specs.given(slug, { url: `${other.origin}${path}` });
    expect(spec).toMatchObject({ lastProcessErrorCode: code, problems: 1 });
    expect(spec.lastProcessedErrors?.[0]?.message).toContain(message);
    expect(JSON.stringify(spec.lastProcessedErrors)).not.toContain('10.1.2.3');
    expect(spec.lastVersion).toBeUndefined();
  });

  it.each([
    ['yaml-bomb', `openapi: 3.1.0\n${aliases}`],
    ['nested', '['.repeat(50_000)],
    ['list', '[1]'],
    ['unknown', '{"openapi":"4.0.0"}'],
  ])('is told of a text: %s', async (slug, text) => {
    const spec = await specs.given(slug, { text });
    expect(spec).toMatchObject({ lastProcessErrorCode: 'PARSE_ERROR', problems: 1 });
    expect(spec.lastVersion).toBeUndefined();
  });

  it('is told of a schema that is only itself, and the rest of the specification stands', async () => {
    const spec = await specs.given('itself', { text: selfReference });
    expect(spec.lastProcessErrorCode).toBeUndefined();
    expect([spec.lastVersion !== undefined, (spec.problems ?? 0) > 0]).toEqual([true, true]);
  });

  it('is refused to whoever may not see the organization, or may not create', async () => {
    const [guest, reader, stranger] = [
      await rig.member('Gus Guest', null),
      await rig.member('Rita Reader', 'read'),
      await rig.person('Sam Stranger'),
    ];
    const body = { source: { text: shop('a') } };
    for (const [by, status] of [
      [guest, 404],
      [stranger, 404],
      [reader, 403],
    ] as const) {
      expect((await specs.send('PUT', '/refused', { body, by })).status).toBe(status);
      expect((await specs.send('POST', '', { body: { slug: 'refused', ...body }, by })).status).toBe(status);
      expect((await specs.send('PATCH', '/itself', { body: { visibility: 'public' }, by })).status).toBe(status);
    }
    const elsewhere = String((await rig.send('POST', '/orgs', { body: { title: 'Other' } })).body['id']);
    expect((await specsOf(rig, elsewhere).send('GET', '/itself')).status).toBe(404);
  });

  it('fails when too many wait to be read, and later ones of others are read', async () => {
    const full = String((await rig.send('POST', '/orgs', { body: { title: 'Full' } })).body['id']);
    const run = { name: 'openapi_processing_v1', kind: 'openapi_processing', version: 1, organization: full };
    const idle = { open: true, owner: null, epoch: 0, beat: 0, due: Date.now() + 3_600_000, step: 0, state: null };
    const rest = { actor: { kind: 'system', id: 'x' }, correlation: 'x', input: '{}', requestedAt: 0, attempts: 0 };
    const waiting = Array.from({ length: 10_000 }, (_, n) => ({
      ...{ _id: `waiting-${full}-${n}`, ...run, ...idle, ...rest },
      ...{ cancelling: false, deaths: 0 },
    }));
    const runs = rig.store.database.collection<{ _id: string }>('op_runs');
    for (let start = 0; start < waiting.length; start += 1_000)
      await runs.insertMany(waiting.slice(start, start + 1_000));
    const own = specsOf(rig, full);
    const refused = await own.given('refused', { text: shop('a') });
    expect(refused).toMatchObject({
      lastProcessErrorCode: 'FETCH_ERROR',
      lastProcessedErrors: [{ code: 'limit_reached', message: expect.stringContaining('wait to be read') }],
    });
    await specs.given('others', { text: shop('a') });
    await rig.store.database.collection('op_runs').deleteMany({ organization: full, requestedAt: 0 });
    expect((await own.given('refused', { text: shop('b') })).lastVersion).toBeDefined();
  });
});
