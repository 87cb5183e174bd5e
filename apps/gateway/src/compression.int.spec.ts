import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { chooseCoding } from './http/compression.js';
import { jsonAnswer, startRig, type Rig } from './test/rig.js';

let rig: Rig;
let token: string;
const tag = 'a'.repeat(22);
beforeAll(async () => {
  rig = await startRig({ config: { compressFromBytes: 200, corsOrigins: ['https://app.test'] } });
  token = rig.issue();
  rig.stub.on['listTeamsInOrganizationById'] = () => jsonAnswer(long, { etag: tag });
  rig.stub.on['getTeamInOrganizationById'] = () => jsonAnswer({ title: 'short' });
  rig.stub.on['createUserToken'] = () => jsonAnswer(long);
});
afterAll(() => rig.stop());

const long = { items: Array.from({ length: 50 }, (_, n) => ({ id: `team${n}`, title: 'Team' })), count: 50 };
const teams = '/v1/orgs/o/teams';

interface Plain {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Bytes and headers as they are sent; `fetch` would decode bodies and set `Accept-Encoding` itself. */
function get(
  path: string,
  coding: string | undefined,
  more: { method?: string; headers?: Record<string, string> } = {},
): Promise<Plain> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(coding === undefined ? {} : { 'accept-encoding': coding }),
    ...more.headers,
  };
  return new Promise((resolve, reject) => {
    const asked = request(rig.address + path, { method: more.method ?? 'GET', headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('an answer', () => {
  it.each([
    ['gzip', 'gzip', gunzipSync],
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['br;q=0.5, gzip', 'gzip', gunzipSync],
  ] as const)('for %s is compressed by %s', async (accepted, coding, decode) => {
    const { headers, body } = await get(teams, accepted);
    expect([headers['content-encoding'], headers['content-length'], headers['vary']]).toEqual([
      coding,
      String(body.length),
      'Origin, Authorization, Accept-Encoding',
    ]);
    expect(JSON.parse(decode(body).toString())).toEqual(long);
    expect(body.length).toBeLessThan(JSON.stringify(long).length / 2);
  });

  it.each([[undefined], ['identity'], ['gzip;q=0, br;q=0'], ['deflate'], ['identity;q=1, gzip;q=0.5']])(
    'for %s is not compressed, and has a Vary header',
    async (accepted) => {
      const { headers, body } = await get(teams, accepted);
      expect([headers['content-encoding'], headers['vary']]).toEqual([
        undefined,
        'Origin, Authorization, Accept-Encoding',
      ]);
      expect(JSON.parse(body.toString())).toEqual(long);
    },
  );

  it('is not compressed when it is short', async () => {
    expect((await get(`${teams}/t`, 'gzip')).headers['content-encoding']).toBeUndefined();
  });

  it('is not compressed when it has a secret or depends on a cookie', async () => {
    const { status, headers } = await get('/v1/user/tokens', 'gzip', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    expect([status, headers['content-encoding']]).toEqual([400, undefined]);
    const reply = await rig.call('POST', '/v1/user/tokens', {
      token,
      body: { label: 'x'.repeat(40) },
      headers: { 'accept-encoding': 'gzip' },
    });
    expect([reply.status, reply.headers.get('content-encoding'), reply.text.length > 200]).toEqual([201, null, true]);
    expect((await get('/sign-in', 'gzip')).headers['content-encoding']).toBeUndefined();
  });

  it('has a tag of its own in each coding, and all of them match', async () => {
    rig.stub.on['getTeamInOrganizationById'] = () => jsonAnswer(long, { etag: tag });
    const team = `${teams}/t`;
    const [zipped, plain] = [(await get(team, 'gzip')).headers['etag'], (await get(team, undefined)).headers['etag']];
    expect([zipped, plain]).toEqual([`"${tag}-gzip"`, `"${tag}"`]);
    for (const known of [zipped, plain, `W/${String(zipped)}`]) {
      const { status, headers } = await get(team, 'gzip', { headers: { 'if-none-match': String(known) } });
      expect([status, headers['etag'], headers['vary']]).toEqual([
        304,
        String(known).replace('W/', ''),
        'Origin, Authorization, Accept-Encoding',
      ]);
    }
    const { status } = await rig.call('PATCH', team, {
      token,
      body: { title: 'x' },
      headers: { 'if-match': String(zipped) },
    });
    expect([status, rig.stub.calls.at(-1)?.headers['if-match']]).toEqual([200, tag]);
    delete rig.stub.on['getTeamInOrganizationById'];
  });

  it('of a list has the same weak tag in every coding, and If-Match ignores it', async () => {
    const weak = `W/"${tag}"`;
    expect([(await get(teams, 'gzip')).headers['etag'], (await get(teams, undefined)).headers['etag']]).toEqual([
      weak,
      weak,
    ]);
    for (const known of [weak, `"${tag}"`, '*']) {
      const { status, headers } = await get(teams, 'gzip', { headers: { 'if-none-match': known } });
      expect([status, headers['etag']]).toEqual([304, weak]);
    }
    await rig.call('PATCH', `${teams}/t`, { token, body: { title: 'x' }, headers: { 'if-match': weak } });
    expect(rig.stub.calls.at(-1)?.headers['if-match']).toBe('');
  });

  it('has the same length for HEAD as for GET', async () => {
    const [head, whole] = [await get(teams, 'gzip', { method: 'HEAD' }), await get(teams, 'gzip')];
    expect([head.body.length, head.headers['content-length'], head.headers['content-encoding']]).toEqual([
      0,
      whole.headers['content-length'],
      'gzip',
    ]);
  });

  it('is compressed when it is the same for everybody', async () => {
    const plain = await get('/openapi.json', undefined);
    const zipped = await get('/openapi.json', 'gzip');
    expect([
      zipped.headers['content-encoding'],
      zipped.headers['vary'],
      gunzipSync(zipped.body).equals(plain.body),
    ]).toEqual(['gzip', 'Origin, Accept-Encoding', true]);
    expect((await get('/reference/script.js', undefined)).headers['content-encoding']).toBeUndefined();
  });
});

describe('Accept-Encoding', () => {
  it.each([
    ['*', 'br'],
    ['*;q=0', undefined],
    ['gzip;q=0.3, *;q=0.2', 'gzip'],
    ['', undefined],
    [';;;', undefined],
    ['gzip;q=2', undefined],
    ['GZIP', 'gzip'],
    ['br;q=0.8,gzip;q=0.8', 'br'],
  ])('"%s" chooses %s', (header, coding) => {
    expect(chooseCoding(header)).toBe(coding);
  });
});
