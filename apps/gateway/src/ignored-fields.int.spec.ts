import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { callOperation, createOrganizationTeam } from '@scriptorium/contracts';
import { startRig, textOf, type CallOptions, type Rig } from './test/rig.js';

let rig: Rig;
beforeAll(async () => void (rig = await startRig({ config: { corsOrigins: ['https://app.test'] } })));
afterAll(() => rig.stop());
afterEach(() => void (rig.stub.calls.length = 0));

const strict = { prefer: 'handling=strict' };
const spaces = '/v1/orgs/o/spaces';
const content = '/v1/spaces/s/content';
const document = { object: 'document', nodes: [{ object: 'block', type: 'paragraph', any: { thing: 1 } }] };
const insert = { operation: 'insert_page', document };

/** Method, path and body of a request, and the fields of it that nothing reads, each with what was probably meant. */
type Case = [method: string, path: string, body: unknown, ignored: [string, string?][]];
const cases: Case[] = [
  ['POST', spaces, { titel: 'Typo' }, [['body.titel', 'title']]],
  ['POST', `${spaces}?dryrun=true`, { title: 'A' }, [['query.dryrun', 'dryRun']]],
  ['GET', '/v1/orgs/o/teams?limt=1', undefined, [['query.limt', 'limit']]],
  ['GET', '/v1/orgs/o/teams?dryRun=true', undefined, [['query.dryRun']]],
  ['GET', '/v1/orgs/o/teams/t?colour=red&colour=blue', undefined, [['query.colour']]],
  ['PUT', '/v1/orgs/o/teams', { title: 'A', owners: [] }, [['body.owners']]],
  [
    'PUT',
    '/v1/orgs/o/teams/t/members',
    { memberships: { anybody: { role: 'owner', Role: 1 } } },
    [['body.memberships.anybody.Role']],
  ],
  ['PUT', '/v1/orgs/o/teams/t/members', { add: ['a'], memberships: { toString: { role: 'owner' } } }, []],
  [
    'POST',
    content,
    {
      changes: [
        { ...insert, titel: 'A' },
        { ...insert, documnt: 1 },
      ],
    },
    [['body.changes[0].titel', 'title'], ['body.changes[1].documnt']],
  ],
  // The field of another kind of change is no help here.
  [
    'POST',
    content,
    { changes: [{ operation: 'insert_group', title: 'A', documents: 1 }] },
    [['body.changes[0].documents']],
  ],
  [
    'POST',
    content,
    { changes: [{ operation: 'insert_page', document: { markdown: 'x', markDown: 'y' } }] },
    [['body.changes[0].document.markDown']],
  ],
  [
    'POST',
    content,
    { changes: [{ operation: 'update_page', page: 'p', layout: { width: 'wide', toc: true } }] },
    [['body.changes[0].layout.toc']],
  ],
  ['PATCH', '/v1/orgs/o', { mergeRules: { type: 'none', rules: [] } }, [['body.mergeRules.rules']]],
  ['POST', content, { changes: [insert] }, []],
  ['DELETE', '/v1/orgs/o/teams/t', { force: true }, [['body']]],
  ['POST', spaces, { constructor: 1, hasOwnProperty: 2 }, [['body.constructor'], ['body.hasOwnProperty']]],
];

describe('what a request says and nothing reads', () => {
  it.each(cases)('%s %s %j is named in a header', async (method, path, body, ignored) => {
    const { status, headers } = await rig.call(method, path, { body });
    expect(status).toBeLessThan(300);
    expect(headers.get('scriptorium-ignored')).toBe(ignored.map(([name]) => name).join(', ') || null);
    expect(headers.get('preference-applied')).toBeNull();
    expect(rig.stub.calls).toHaveLength(1);
  });

  it.each(cases)('%s %s %j is refused if that was asked for', async (method, path, body, ignored) => {
    const { status, headers, json } = await rig.call(method, path, { body, headers: strict });
    expect([headers.get('preference-applied'), headers.get('scriptorium-ignored')]).toEqual(['handling=strict', null]);
    if (ignored.length === 0) return void expect(status).toBeLessThan(300);
    expect([status, json.error.reason, rig.stub.calls]).toEqual([400, 'invalid_request', []]);
    expect(json.error.details.map((detail) => detail.path)).toEqual(ignored.map(([name]) => name));
    ignored.forEach(([, meant], index) => {
      const message = json.error.details[index]?.message;
      if (meant === undefined) expect(message).not.toContain('did you mean');
      else expect(message).toContain(`did you mean \`${meant}\`?`);
    });
  });

  it('is named beside what is invalid, in both ways', async () => {
    const call = { body: { titel: 'A', emoji: 7 } };
    const lenient = await rig.call('POST', `${spaces}?a=1`, call);
    expect(lenient.json.error.details.map(({ path }) => path)).toEqual(['body.emoji']);
    expect(lenient.headers.get('scriptorium-ignored')).toBe('query.a, body.titel');
    const refused = await rig.call('POST', `${spaces}?a=1`, { ...call, headers: strict });
    expect(refused.json.error.details.map(({ path }) => path)).toEqual(['body.emoji', 'query.a', 'body.titel']);
  });

  it('is said what it is of', async () => {
    const { json } = await rig.call('DELETE', '/v1/orgs/o/teams/t?b=1', { body: '{}', headers: strict });
    expect(json.error.details).toEqual([
      { path: 'query.b', message: 'Is no parameter of this operation' },
      { path: 'body', message: 'This operation takes no body' },
    ]);
    const { json: field } = await rig.call('POST', spaces, { body: { a: 1 }, headers: strict });
    expect(field.error.details).toEqual([{ path: 'body.a', message: 'Is no field of this object' }]);
  });
});

describe('the header', () => {
  const ignored = async (body: unknown) =>
    (await rig.call('POST', spaces, { body })).headers.get('scriptorium-ignored');

  it('has names that a header can have', async () => {
    expect(await ignored({ 'a, b': 1, 'c\r\nd': 2, 'grün%': 3, '"': 4 })).toBe(
      'body.a%2C%20b, body.c%0D%0Ad, body.gr%C3%BCn%25, body.%22',
    );
  });

  it('is bounded in names and length', async () => {
    const named = (name: (at: number) => string, count: number) =>
      ignored(Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), at])));
    expect(await named((at) => `f${at}`, 20)).toMatch(/body\.f19$/);
    expect((await named((at) => `f${at}`, 21))?.split(', ').slice(-2)).toEqual(['body.f19', '...']);
    const long = await named((at) => `${at}${'ü'.repeat(200)}`, 20);
    expect(long?.length).toBeLessThan(1_100);
    expect(long).toMatch(/, \.\.\.$/);
  });

  it('can be read and asked for by pages of allowed origins', async () => {
    const headers = { origin: 'https://app.test', 'access-control-request-method': 'GET' };
    const preflight = await rig.call('OPTIONS', spaces, { headers, token: null });
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/\bprefer\b/);
    const answer = await rig.call('GET', '/v1/orgs/o/teams', { headers });
    expect(answer.headers.get('access-control-expose-headers')).toMatch(
      /\bpreference-applied\b.*\bscriptorium-ignored\b/,
    );
  });
});

describe('the preference', () => {
  it.each([
    ['handling=strict', true],
    ['Handling = "strict"', true],
    ['respond-async, wait=10, handling=strict; x=1', true],
    ['foo="a, handling=lenient", handling=strict', true],
    ['handling=lenient', false],
    ['handling=lenient, handling=strict', false],
    ['handling=STRICT', false],
    ['handling', false],
    ['foo="handling=strict"', false],
    ['return=minimal', false],
    ['', false],
  ])('%j is strict: %j', async (prefer, isStrict) => {
    const { headers } = await rig.call('GET', '/v1/orgs/o/teams', { headers: { prefer } });
    expect(headers.get('preference-applied')).toBe(isStrict ? 'handling=strict' : null);
  });

  it('is heeded where the gateway answers itself', async () => {
    const call: CallOptions = { token: null, headers: strict };
    expect((await rig.call('GET', '/v1/', call)).status).toBe(200);
    expect((await rig.call('GET', '/v1/?a=1', call)).json.error.details[0]?.path).toBe('query.a');
    const lenient = await rig.call('GET', '/v1/?a=1', { token: null });
    expect([lenient.status, lenient.headers.get('scriptorium-ignored')]).toEqual([200, 'query.a']);
  });

  it('is that of the typed client', async () => {
    const options = { endpoint: rig.address, token: rig.issue() };
    const body = { title: 'A', owners: [] };
    const call = { params: { organizationId: 'o' }, body };
    await expect(callOperation(options, createOrganizationTeam, call)).rejects.toMatchObject({
      reason: 'invalid_request',
      details: [{ path: 'body.owners' }],
    });
    await callOperation({ ...options, handling: 'lenient' }, createOrganizationTeam, call);
    expect(JSON.parse(textOf(rig.stub.calls[0]?.body ?? new Uint8Array()))).toMatchObject({ body: { title: 'A' } });
  });
});
