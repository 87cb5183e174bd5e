import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { services } from '@scriptorium/contracts';
import { createPrincipalReader } from '@scriptorium/platform/signed-principal';
import { config, jsonAnswer, refuse, startRig, textOf, until, type Rig } from './test/rig.js';

let rig: Rig;
const observed: { operation: string; outcome: string; status: number; requestId: string }[] = [];
beforeAll(async () => {
  rig = await startRig({
    observe: (answer) => observed.push(answer),
    tracing: {
      span: (name, { parent }, work) =>
        work(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-${parent === undefined ? '00' : '01'}`),
      stop: () => Promise.resolve(),
    },
  });
});
afterAll(() => rig.stop());
afterEach(() => {
  rig.stub.on = {};
  rig.stub.calls.length = 0;
});

const team = '/v1/orgs/org1/teams/team1';
const lastCall = () => {
  const call = rig.stub.calls.at(-1);
  if (call === undefined) throw new Error('Nothing was forwarded');
  return { ...call, input: JSON.parse(textOf(call.body)) as unknown };
};

describe('forwarding', () => {
  it('sends a read to its service and passes the answer through as bytes', async () => {
    const odd = '{ "object":"team",  "unknown": 1.0 }';
    rig.stub.on['getTeamInOrganizationById'] = (request) => {
      rig.stub.calls.push(request);
      return { body: Buffer.from(odd) };
    };
    const reply = await rig.call('GET', team, { headers: { 'x-request-id': 'my.request-1' } });
    expect(reply.status).toBe(200);
    expect(reply.text).toBe(odd);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('x-request-id')).toBe('my.request-1');
    const call = lastCall();
    expect(call.operation).toBe('getTeamInOrganizationById');
    expect(call.input).toEqual({ params: { organizationId: 'org1', teamId: 'team1' }, query: {} });
    expect(call.headers['request-id']).toBe('my.request-1');
    expect(createPrincipalReader(config.keys)(call.headers['principal'])).toMatchObject({
      kind: 'user',
      token: { kind: 'personal' },
    });
    expect(call.headers['authorization']).toBeUndefined();
  });

  it('converts the query to its types and applies defaults', async () => {
    await rig.call('GET', '/v1/orgs/o/members?limit=7&search=a%20b&role=guest&whatever=1');
    expect(lastCall().input).toEqual({
      params: { organizationId: 'o' },
      query: { limit: 7, order: 'desc', role: 'guest', search: 'a b', sort: 'joinedAt' },
    });
  });

  it('sends a body without properties that its schema does not have', async () => {
    const reply = await rig.call('PUT', '/v1/orgs/o/teams', {
      body: { title: 'Docs', constructor: 1, prototype: {}, other: [1] },
    });
    expect(reply.status).toBe(201);
    expect(lastCall().input).toEqual({ params: { organizationId: 'o' }, query: {}, body: { title: 'Docs' } });
  });

  it.each([
    ['without a body', {}],
    ['with an empty body of type JSON', { body: '' }],
    ['with a body', { body: { role: 'owner' } }],
  ])('accepts an optional body %s', async (_, call) => {
    const reply = await rig.call('PUT', `${team}/members/u`, call);
    expect(reply.status).toBe(204);
    expect(reply.text).toBe('');
  });

  it('answers with the status and location that the service gives', async () => {
    rig.stub.on['createOrganizationTeam'] = () =>
      jsonAnswer({ id: 't' }, { status: '201', location: 'http://docs.test/v1/orgs/o/teams/t' });
    const reply = await rig.call('PUT', '/v1/orgs/o/teams', { body: { title: 'Docs' } });
    expect([reply.status, reply.headers.get('location')]).toEqual([201, 'http://docs.test/v1/orgs/o/teams/t']);
  });

  it('answers a deletion 205 with an explicit length, or 204', async () => {
    rig.stub.on['removeTeamFromOrganizationById'] = () => ({ body: Buffer.alloc(0) });
    const deleted = await rig.call('DELETE', team);
    expect([deleted.status, deleted.headers.get('content-length'), deleted.text]).toEqual([205, '0', '']);
    rig.stub.on['removeTeamFromOrganizationById'] = () => ({ body: Buffer.alloc(0), headers: { status: '204' } });
    const absent = await rig.call('DELETE', team);
    expect([absent.status, absent.text]).toEqual([204, '']);
  });

  it('forwards an idempotency key with writes', async () => {
    await rig.call('PUT', '/v1/orgs/o/teams', { body: { title: 'Docs' }, headers: { 'idempotency-key': 'k-1' } });
    expect(lastCall().headers['idempotency-key']).toBe('k-1');
    await rig.call('GET', team, { headers: { 'idempotency-key': 'k-1' } });
    expect(lastCall().headers['idempotency-key']).toBeUndefined();
  });

  it('answers HEAD as GET without the body', async () => {
    const reply = await rig.call('HEAD', team);
    expect([reply.status, reply.text, reply.headers.get('content-length')]).toEqual([200, '', '2']);
  });
});

describe('errors', () => {
  it('of a service keep reason, message, details and Retry-After', async () => {
    rig.stub.on['getTeamInOrganizationById'] = refuse('conflict', [{ path: 'body.x', message: 'no' }], {
      message: 'Busy',
      retryAfter: 2,
    });
    const reply = await rig.call('GET', team, { headers: { 'x-request-id': 'r1' } });
    expect(reply.status).toBe(409);
    expect(reply.headers.get('retry-after')).toBe('2');
    expect(reply.json).toEqual({
      error: {
        code: 409,
        message: 'Busy',
        reason: 'conflict',
        details: [{ path: 'body.x', message: 'no' }],
        requestId: 'r1',
      },
    });
  });

  it('name every failing field of parameters, query and body', async () => {
    const reply = await rig.call('GET', '/v1/orgs/a%20b/members?limit=5000&sort=size');
    expect(reply.status).toBe(400);
    expect(reply.json.error.details.map((d) => d.path).sort()).toEqual([
      'params.organizationId',
      'query.limit',
      'query.sort',
    ]);
    const body = await rig.call('POST', '/v1/orgs/o/invites', {
      body: { emails: ['a@b.io', { email: 'x' }], role: 'king' },
    });
    expect(body.json.error.details.map((d) => d.path)).toEqual(['body.emails[1].email', 'body.role']);
  });

  it('for anonymous callers have WWW-Authenticate', async () => {
    const reply = await rig.call('GET', team, { token: null });
    expect([reply.status, reply.headers.get('www-authenticate'), reply.json.error.message]).toEqual([
      401,
      'Bearer',
      'Authentication required',
    ]);
  });

  it('for unknown content codings name the header; identity is accepted', async () => {
    const put = (coding: string) =>
      rig.call('PUT', '/v1/orgs/o/teams', { body: { title: 'Docs' }, headers: { 'content-encoding': coding } });
    const { status, json } = await put('zstd');
    expect([status, json.error]).toMatchObject([
      415,
      { reason: 'unsupported_media_type', details: [{ path: 'headers.content-encoding' }] },
    ]);
    expect((await put('Identity')).status).toBe(201);
  });

  it('for unknown paths are 404, for other methods 405 with Allow', async () => {
    const unknown = await rig.call('GET', '/v1/nothing/here');
    expect([unknown.status, unknown.json.error.reason]).toEqual([404, 'not_found']);
    const empty = ['/v1/orgs/', '/v1/orgs/?limit=1', '/v1/orgs//members', `${team}/members/`];
    for (const path of empty)
      expect([path, (await rig.call('GET', path, { token: null })).status]).toEqual([path, 404]);
    expect((await rig.call('DELETE', '/v1/orgs/')).json.error.message).toBe('There is no such path');
    const other = await rig.call('POST', team, { token: null });
    expect([other.status, other.headers.get('allow'), other.json.error.reason]).toEqual([
      405,
      'DELETE, GET, HEAD, PATCH',
      'method_not_allowed',
    ]);
  });

  it('have the security headers that answers have', async () => {
    for (const path of ['/v1/', '/v1/nothing', team, '/livez', '/v1/%zz']) {
      const { headers } = await rig.call('GET', path);
      expect([path, headers.get('x-content-type-options'), headers.get('cache-control')]).toEqual([
        path,
        'nosniff',
        'no-store',
      ]);
      expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]+$/);
    }
  });
});

describe('operators', () => {
  it('get a report of each answered request of an operation', async () => {
    observed.length = 0;
    await rig.call('GET', team, { headers: { 'x-request-id': 'one' } });
    await rig.call('GET', team, { headers: { 'x-request-id': 'two' }, token: null });
    await rig.call('GET', '/v1/nothing');
    await until(() => observed.length === 2, 'both are reported');
    expect(
      observed.map(({ operation, outcome, status, requestId }) => [operation, outcome, status, requestId]),
    ).toEqual([
      ['getTeamInOrganizationById', 'ok', 200, 'one'],
      ['getTeamInOrganizationById', 'unauthenticated', 401, 'two'],
    ]);
  });

  it('find a request in one trace', async () => {
    await rig.call('GET', team, { headers: { traceparent: `00-${'c'.repeat(32)}-${'d'.repeat(16)}-01` } });
    expect(lastCall().headers['traceparent']).toBe(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`);
    await rig.call('GET', team, { headers: { traceparent: 'nonsense' } });
    expect(lastCall().headers['traceparent']).toMatch(/-00$/);
  });

  it('see the readiness checks', async () => {
    expect(await rig.gateway.checks()).toEqual([
      { name: 'nats', ok: true, detail: expect.stringMatching(/:\d+$/) },
      ...services.map(({ name }) => ({ name: `service ${name}`, ok: true })),
    ]);
  });
});

describe('the gateway itself', () => {
  it('answers /v1 with and without a slash at its end', async () => {
    const [bare, root] = await Promise.all(['/v1', '/v1/'].map((path) => rig.call('GET', path, { token: null })));
    expect(bare).toMatchObject({ status: 200, json: root?.json });
    const wrong = await rig.call('POST', '/v1', { token: null });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await rig.call('GET', '/v1/user/', { token: null })).status).toBe(404);
  });

  it('answers version and build without a token', async () => {
    const reply = await rig.call('GET', '/v1/', { token: null });
    expect([reply.status, reply.json]).toEqual([200, { version: '1.2.3', build: 'spec' }]);
  });

  it('answers health checks without details', async () => {
    expect((await rig.call('GET', '/livez', { token: null })).status).toBe(200);
    expect((await rig.call('GET', '/readyz', { token: null })).status).toBe(200);
  });
});
