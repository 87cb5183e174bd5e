import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { specBounds } from '@scriptorium/contracts';
import { specsOf } from '../../test/openapi-specs.js';
import { startOtherSide, type OtherSide } from '../../test/other-side.js';
import { get, startRig, type Rig } from '../../test/rig-with-store.js';
import { shop } from '../../test/specifications.js';

jest.setTimeout(120_000);

describe('the source of an OpenAPI specification', () => {
  let rig: Rig;
  let other: OtherSide;
  let specs: ReturnType<typeof specsOf>;
  beforeAll(async () => {
    other = await startOtherSide();
    rig = await startRig({ OUTBOUND_ALLOWED_NETWORKS: '127.0.0.0/8', MAX_FILE_BYTES_PER_ORGANIZATION: '60000000' });
    specs = specsOf(rig);
  }, 60_000);
  afterAll(async () => {
    await rig.stop();
    other.stop();
  });

  it('is answered with 201 and its address when it makes a specification, and with 200 after that', async () => {
    const first = await specs.put('fresh', { text: shop('a') });
    expect([first.status, first.headers.get('location')]).toEqual([201, expect.stringMatching(/\/openapi\/fresh$/)]);
    const second = await specs.put('fresh', { text: shop('b') });
    expect([second.status, second.headers.get('location')]).toEqual([200, null]);
    const key = { 'idempotency-key': 'fresh-1' };
    const keyed = [await specs.put('keyed', { text: 'x' }, key), await specs.put('keyed', { text: 'x' }, key)];
    expect(keyed.map(({ status }) => status)).toEqual([201, 201]);
    expect(keyed[1]?.headers.get('idempotency-replayed')).toBe('true');
  });

  it('of requests at once makes one specification, whose last source wins', async () => {
    const all = ['one', 'two', 'three', 'four'];
    const answers = await Promise.all(all.map((summary) => specs.put('at-once', { text: shop(summary) })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    await specs.given('at-once', { text: shop('five') });
    expect((await specs.send('GET', '/at-once/versions/latest')).body).toMatchObject({ operations: 1 });
  });

  it('is waited for as long as the request prefers', async () => {
    const waited = await specs.put('waited', { text: shop('a') }, { prefer: 'wait=25, handling=strict' });
    expect([waited.status, waited.headers.get('preference-applied')]).toEqual([201, 'handling=strict, wait=25']);
    expect(waited.body).toMatchObject({ processingState: 'complete', problems: 1, lastProcessedErrors: [{ line: 1 }] });
    const posted = await specs.send('POST', '', {
      body: { slug: 'posted', source: { text: '{' } },
      headers: { prefer: 'wait=100' },
    });
    expect(posted.headers.get('preference-applied')).toBe('wait=25');
    expect(posted.body).toMatchObject({ processingState: 'complete', lastProcessErrorCode: 'PARSE_ERROR' });
    other.pages.set('/slow', () => undefined);
    const start = performance.now();
    const early = await specs.put('slow', { url: `${other.origin}/slow` }, { prefer: 'wait=1' });
    expect([early.headers.get('preference-applied'), early.body['processingState']]).toEqual(['wait=1', 'progress']);
    expect(performance.now() - start).toBeGreaterThan(900);
    const never = await specs.put('never', { text: shop('a') }, { prefer: 'wait=soon' });
    expect(never.headers.get('preference-applied')).toBeNull();
    const dry = await specs.send('PUT', '/dry?dryRun=true', {
      body: { source: { text: shop('a') } },
      headers: { prefer: 'wait=25' },
    });
    expect([dry.status, dry.headers.get('preference-applied')]).toEqual([201, null]);
    expect((await specs.send('GET', '/dry')).status).toBe(404);
  });

  it('is not downloaded again as long as the other side says that it is the same', async () => {
    let text = shop('a');
    let tag = '"a"';
    const given: (string | undefined)[] = [];
    other.pages.set('/tagged', (response, headers) => {
      given.push(headers['if-none-match']);
      if (headers['if-none-match'] === tag) response.writeHead(304).end();
      else response.writeHead(200, { etag: tag, 'last-modified': 'Sat, 28 Nov 2026 00:00:00 GMT' }).end(text);
    });
    const source = { url: `${other.origin}/tagged` };
    const first = await specs.given('tagged', source);
    const same = await specs.given('tagged', source);
    expect(same.lastVersion).toBe(first.lastVersion);
    expect([same.problems, same.lastProcessErrorCode]).toEqual([first.problems, undefined]);
    expect(Date.parse(same.lastProcessedAt ?? '')).toBeGreaterThan(Date.parse(first.lastProcessedAt ?? ''));
    [text, tag] = [shop('b'), '"b"'];
    const changed = await specs.given('tagged', source);
    expect(changed.lastVersion).not.toBe(first.lastVersion);
    // After another source the same answer is another version.
    await specs.given('tagged', { text: shop('c') });
    const back = await specs.given('tagged', source);
    expect(back.lastVersion).not.toBe(changed.lastVersion);
    // What could not be read is read again.
    [text, tag] = ['{', '"c"'];
    for (let n = 0; n < 2; n += 1)
      expect(await specs.given('tagged', source)).toMatchObject({ lastProcessErrorCode: 'PARSE_ERROR' });
    expect(given).toEqual([undefined, '"a"', '"a"', undefined, '"b"', undefined]);
  });

  it('can be an upload, whose bytes count as files do', async () => {
    const begin = async (bytes: Buffer, kind: string) => {
      const file = { name: 'shop.json', type: 'application/json', size: bytes.length };
      const answer = await rig.send('POST', `/orgs/${rig.organization}/storage/upload`, { body: { file, kind } });
      return { url: String(answer.body['url']), key: String(answer.body['key']) };
    };
    const upload = async (bytes: Buffer, kind = 'organization_file') => {
      const { url, key } = await begin(bytes, kind);
      expect((await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(204);
      return key;
    };
    const key = await upload(Buffer.from(shop('uploaded')));
    const spec = await specs.given('uploaded', { upload: key });
    expect(spec).toMatchObject({ problems: 1, lastVersion: expect.any(String) });
    const refused = async (source: object) => {
      const { status, body } = await specs.put('uploaded', source);
      return [status, get(body, 'error.reason'), get(body, 'error.details.0.path')];
    };
    const field = 'body.source.upload';
    expect(await refused({ upload: 'nothing' })).toEqual([400, 'invalid_request', field]);
    expect(await refused({ upload: await upload(Buffer.from('x'), 'space_file') })).toEqual([
      400,
      'invalid_request',
      field,
    ]);
    const { key: empty } = await begin(Buffer.from('x'), 'organization_file');
    expect(await refused({ upload: empty })).toEqual([400, 'invalid_request', field]);
    const large = Buffer.alloc(specBounds.textBytes + 1, ' ');
    expect(await refused({ upload: await upload(large) })).toEqual([413, 'too_large', field]);
    expect(await refused({ upload: key, text: 'x' })).toEqual([400, 'invalid_request', 'body.source']);
    const stranger = await rig.member('Edda Editor', 'create');
    const other = await specs.send('PUT', '/uploaded', { body: { source: { upload: key } }, by: stranger });
    expect([other.status, get(other.body, 'error.details.0.path')]).toEqual([400, field]);
  });

  it('is refused beyond 20 MiB, and beyond what an organization may store', async () => {
    const text = ' '.repeat(specBounds.textBytes);
    const large = await specs.put('large', { text: `${text} ` });
    expect([large.status, get(large.body, 'error.details.0.path')]).toEqual([413, 'body.source.text']);
    const body = `{"source":{"text":"${' '.repeat(26 * 1024 * 1024)}"}}`;
    expect((await specs.send('PUT', '/large', { body })).status).toBe(413);
    const beside = String((await rig.send('POST', '/orgs', { body: { title: 'Full' } })).body['id']);
    const own = specsOf(rig, beside);
    expect((await own.put('a', { text })).status).toBe(201);
    expect((await own.put('b', { text: `x${text.slice(1)}` })).status).toBe(201);
    const full = await own.put('c', { text: `y${text.slice(1)}` });
    expect([full.status, get(full.body, 'error.details.0.path')]).toEqual([409, 'fileBytesPerOrganization']);
    expect((await own.send('GET', '/c')).status).toBe(404);
    // The same bytes of a specification count once.
    expect((await own.put('a', { text })).status).toBe(200);
  });

  it('at a URL that the organization has no room for fails by its quota, and the version before stays', async () => {
    const tight = String((await rig.send('POST', '/orgs', { body: { title: 'Tight' } })).body['id']);
    const own = specsOf(rig, tight);
    other.pages.set('/tight', shop('a'));
    const { lastVersion } = await own.given('tight', { url: `${other.origin}/tight` });
    expect(lastVersion).toBeDefined();
    const lengths = [specBounds.textBytes, specBounds.textBytes, 18_000_000];
    for (const [place, length] of lengths.entries()) {
      const text = String(place).padEnd(length);
      expect((await own.put(`fill-${place}`, { text })).status).toBe(201);
    }
    const description = 'x'.repeat(60_000);
    other.pages.set(
      '/tight',
      JSON.stringify({ ...JSON.parse(shop('b')), info: { title: 'S', version: '2', description } }),
    );
    const full = await own.given('tight', { url: `${other.origin}/tight` });
    expect(full).toMatchObject({
      ...{ lastProcessErrorCode: 'QUOTA_REACHED', lastVersion },
      lastProcessedErrors: [{ code: 'limit_reached', message: expect.stringContaining('fileBytesPerOrganization') }],
    });
  });
});
