import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { callOperation, operation } from '@scriptorium/contracts';
import * as z from 'zod';
import { jsonAnswer, startRig, textOf, until, type Rig } from '../test/rig.js';

const access = { resource: 'user', view: ['self'], allow: ['self'] } as const;
const base = { service: 'identity', tag: 'Spec', summary: '', access } as const;
const params = z.object({ id: z.string() });
const search = operation({
  ...base,
  id: 'search',
  method: 'POST',
  kind: 'read',
  path: '/search',
  body: z.object({ words: z.string() }),
  response: z.object({ found: z.int() }),
});
const write = operation({
  ...base,
  id: 'write',
  method: 'PATCH',
  path: '/things/{id}',
  aliases: ['/thing/{id}', '/old/things/{id}'],
  params,
  body: z.object({}),
  response: z.object({}),
});
const readPath = operation({
  ...base,
  id: 'readPath',
  method: 'GET',
  path: '/things/{id}/path/{place}',
  aliases: ['/things/{id}/paths/{place}'],
  rest: 'place',
  params: z.object({ id: z.string(), place: z.string().max(30) }),
  response: z.object({}),
});
const text = (id: string, produces: 'text/plain' | 'text/markdown' | 'application/xml' | 'application/atom+xml') =>
  operation({ ...base, id, method: 'GET', path: `/${id}`, produces, response: z.string() });
const table = [
  search,
  write,
  readPath,
  text('plain', 'text/plain'),
  text('markdown', 'text/markdown'),
  text('xml', 'application/xml'),
  text('atom', 'application/atom+xml'),
];

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ table, config: { compressFromBytes: 100 } });
});
afterAll(() => rig.stop());
afterEach(() => {
  rig.stub.on = {};
  rig.stub.calls.length = 0;
});

const lastCall = () => {
  const call = rig.stub.calls.at(-1);
  if (call === undefined) throw new Error('Nothing was forwarded');
  return call;
};

describe('a read by POST', () => {
  const post = (headers: Record<string, string> = {}, path = '/v1/search') =>
    rig.call('POST', path, { body: { words: 'x' }, headers });

  it('ignores an idempotency key, and has Scriptorium-After', async () => {
    await post({ 'idempotency-key': 'k', 'if-match': '"x"', 'scriptorium-after': '17' });
    const { headers, body } = lastCall();
    expect(JSON.parse(textOf(body))).toEqual({ params: {}, query: {}, body: { words: 'x' } });
    expect([headers['idempotency-key'], headers['if-match'], headers['after']]).toEqual([undefined, undefined, '17']);
    await post({}, '/v1/search?dryRun=true');
    expect(rig.stub.calls.at(-1)?.headers['dry-run']).toBeUndefined();
  });

  it('has no entity tag, is never 304, and nothing may store it', async () => {
    rig.stub.on['search'] = () => jsonAnswer({ found: 1 }, { etag: 'a'.repeat(22) });
    const { status, headers } = await post({ 'if-none-match': '*' });
    expect([status, headers.get('etag'), headers.get('cache-control')]).toEqual([200, null, 'no-store']);
  });

  it('is sent a second time when there is no answer', async () => {
    let requests = 0;
    rig.stub.on['search'] = () => {
      requests += 1;
      return requests === 1 ? new Promise(() => undefined) : jsonAnswer({ found: requests });
    };
    expect((await post()).json).toEqual({ found: 2 });
    await until(() => requests === 2, 'no more requests are sent');
  });
});

describe('an operation with aliases', () => {
  it.each([['/v1/things/t'], ['/v1/thing/t'], ['/v1/old/things/t']])('answers at %s', async (path) => {
    expect((await rig.call('PATCH', path, { body: {} })).status).toBe(200);
    const { operation: id, body } = lastCall();
    expect([id, JSON.parse(textOf(body))]).toEqual(['write', { params: { id: 't' }, query: {}, body: {} }]);
  });

  it('refuses other methods at an alias', async () => {
    const { status, headers } = await rig.call('DELETE', '/v1/thing/t');
    expect([status, headers.get('allow')]).toEqual([405, 'PATCH']);
  });
});

describe('an operation with a parameter for the rest of its path', () => {
  it.each([
    ['/v1/things/t/path/a', 'a'],
    ['/v1/things/t/path/a/b/c', 'a/b/c'],
    ['/v1/things/t/path/a%2Fb%2fc', 'a/b/c'],
    ['/v1/things/t/path/a/b%2Fc?x=/y', 'a/b/c'],
    ['/v1/things/t/paths/a/b', 'a/b'],
    ['/v1/things/t/path/gr%C3%BC%C3%9Fe/%25/a%20b', 'grüße/%/a b'],
    ['/v1/things/t/path/a/', 'a/'],
    ['/v1/things/t/path//a', '/a'],
    ['/v1/things/t/path/..%2fa', '../a'],
  ])('gets it from %s', async (path, place) => {
    expect((await rig.call('GET', path)).status).toBe(200);
    const { operation: id, body } = lastCall();
    expect([id, JSON.parse(textOf(body))]).toEqual(['readPath', { params: { id: 't', place }, query: {} }]);
  });

  it('refuses an empty rest, other methods, and a rest that its schema refuses', async () => {
    const empty = await rig.call('GET', '/v1/things/t/path/');
    expect([empty.status, empty.json.error.reason]).toEqual([404, 'not_found']);
    const other = await rig.call('DELETE', '/v1/things/t/path/a/b');
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const long = await rig.call('GET', `/v1/things/t/path/${'a/'.repeat(16)}`);
    expect([long.status, long.json.error.details[0]?.path]).toEqual([400, 'params.place']);
    expect((await rig.call('GET', '/v1/things/t/path/%zz')).status).toBe(400);
  });

  it('gets it from clients, whatever it is', async () => {
    const place = 'a/../b c/%2F';
    const options = { endpoint: rig.address, token: rig.issue() };
    await callOperation(options, readPath, { params: { id: 't', place } });
    expect(JSON.parse(textOf(lastCall().body))).toEqual({ params: { id: 't', place }, query: {} });
  });
});

describe('a text', () => {
  it.each([
    ['plain', 'text/plain; charset=utf-8'],
    ['markdown', 'text/markdown; charset=utf-8'],
    ['xml', 'application/xml'],
    ['atom', 'application/atom+xml'],
  ])('%s is sent as %s', async (id, type) => {
    rig.stub.on[id] = () => jsonAnswer('# Grüße\n', { etag: 'a'.repeat(22) });
    const { status, headers, text: body } = await rig.call('GET', `/v1/${id}`);
    expect([status, headers.get('content-type'), body]).toEqual([200, type, '# Grüße\n']);
    const again = await rig.call('GET', `/v1/${id}`, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it('is compressed', async () => {
    rig.stub.on['plain'] = () => jsonAnswer('x'.repeat(1_000));
    const { headers, text: body } = await rig.call('GET', '/v1/plain', { headers: { 'accept-encoding': 'gzip' } });
    expect([headers.get('content-encoding'), body.length]).toEqual(['gzip', 1_000]);
  });

  it('may be empty', async () => {
    rig.stub.on['plain'] = () => jsonAnswer('');
    const { status, headers, text: body } = await rig.call('GET', '/v1/plain');
    expect([status, headers.get('content-type'), body]).toEqual([200, 'text/plain; charset=utf-8', '']);
  });

  it('has errors as JSON', async () => {
    const { status, json } = await rig.call('GET', '/v1/plain', { token: null });
    expect([status, json.error.reason]).toEqual([401, 'unauthenticated']);
  });
});
