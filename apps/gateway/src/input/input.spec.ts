import { describe, expect, it } from '@jest/globals';
import { operation, operationList, type AppError, type ErrorDetail, type Operation } from '@scriptorium/contracts';
import * as z from 'zod';
import { nestsDeeper, parseJsonBody } from './body.js';
import { compileQuery, parametersOf } from './query.js';
import { compileValidator } from './validator.js';

describe('reading a query', () => {
  const read = compileQuery(
    z.object({
      limit: z.int().optional(),
      ratio: z.number().optional(),
      deep: z.boolean().optional(),
      mode: z.union([z.boolean(), z.enum(['only'])]).optional(),
      tags: z.array(z.string()).optional(),
      ids: z.array(z.int()).optional(),
      text: z.string().optional(),
    }),
  );

  it.each([
    ['', {}],
    ['?', {}],
    ['?limit=05&ratio=-1.5', { limit: 5, ratio: -1.5 }],
    ['?limit=1e3', { limit: '1e3' }],
    ['?limit=', { limit: '' }],
    ['?limit=1&limit=2', { limit: ['1', '2'] }],
    ['?deep=true', { deep: true }],
    ['?deep=yes', { deep: 'yes' }],
    ['?mode=false', { mode: false }],
    ['?mode=only', { mode: 'only' }],
    ['?tags=a&tags=b,c', { tags: ['a', 'b', 'c'] }],
    ['?ids=1,2&ids=x', { ids: [1, 2, 'x'] }],
    ['?text=a+b%20c%2b', { text: 'a b c+' }],
    ['?text=12&other=1', { text: '12' }],
  ])('%j', (query, values) => {
    expect(read(parametersOf(`/v1/x${query}`))).toEqual(values);
  });

  it('refuses a schema with objects, which no operation has', () => {
    expect(() => compileQuery(z.object({ filter: z.object({}) }))).toThrow('filter');
    for (const op of operationList) expect(() => compileQuery(op.query)).not.toThrow();
  });
});

describe('reading a JSON body', () => {
  const parse = (text: string) => {
    const failed: ErrorDetail[] = [];
    return { value: parseJsonBody(Buffer.from(text), failed), failed };
  };

  it.each([
    ['null'],
    ['"a"'],
    ['{"a":[1,{"b":"\\u00e4\\ud83d\\ude00"}]}'],
    ['{"constructor":{"prototype":1}}'],
    ['{"x":"__proto__"}'],
  ])('%s', (text) => {
    expect(parse(text)).toEqual({ value: JSON.parse(text) as unknown, failed: [] });
  });

  it('names the failing field, and repeats nothing of the body', () => {
    expect(parse('{"a":[{"b":"\\u0000"},"\\ud800"]}').failed).toEqual([
      { path: 'body.a[0].b', message: 'Must not contain NUL' },
      { path: 'body.a[1]', message: 'Must be well-formed Unicode' },
    ]);
    expect(parse('{"token":"scr_pat_').failed).toEqual([
      { path: 'body', message: 'Must be JSON: it ends too early, at line 1, column 19' },
    ]);
  });

  it('takes a document of 100 blocks within each other, and nothing that is much deeper', () => {
    const nested = (levels: number) => '{"nodes":['.repeat(levels) + ']}'.repeat(levels);
    expect(parse(nested(100)).failed).toEqual([]);
    expect(parse(nested(129)).failed).toEqual([{ path: 'body', message: 'Must not nest deeper than 256' }]);
  });

  it.each([
    ['[[]]', 2, false],
    ['[[]]', 1, true],
    ['[[],[],[]]', 2, false],
    ['"[[[["', 1, false],
    ['{"\\"[[[":[]}', 2, false],
    ['"cut\\', 1, false],
  ])('%j nests deeper than %i: %j', (text, most, deeper) => {
    expect(nestsDeeper(text, most)).toBe(deeper);
  });
});

describe('validating', () => {
  const access = { resource: 'installation', view: ['anyone'], allow: ['anyone'] } as const;
  const base = { service: 'identity', path: '/x', summary: '', tag: '', access } as const;
  const item = z.union([z.string().max(3), z.object({ id: z.string().max(3), more: z.int().optional() })]);
  const write = operation({
    ...base,
    id: 'w',
    method: 'POST',
    params: z.object({ id: z.string().max(3) }),
    body: z.object({ items: z.array(item), on: z.boolean().default(true) }),
  });
  const validate = compileValidator(write);
  const bytes = (body: unknown) => (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));
  const run = (body: unknown, id = 'a') =>
    JSON.parse(validate({ params: { id }, url: '/x', headers: {}, body: bytes(body) }).input.toString()) as unknown;
  const failure = (action: () => unknown): Pick<AppError, 'reason' | 'message' | 'details'> => {
    try {
      action();
    } catch (error) {
      return error as ReturnType<typeof failure>;
    }
    throw new Error('Nothing was refused');
  };

  const refusedBody = (id: string, body: unknown) => {
    const op = operationList.find((one) => one.id === id);
    if (op === undefined) throw new Error(`There is no ${id}`);
    return failure(() =>
      compileValidator(op)({ params: { organizationId: 'o' }, url: '/x', headers: {}, body: bytes(body) }),
    ).details;
  };

  it('gives the output of the schemas', () => {
    expect(run({ items: ['a', { id: 'b', unknown: 1 }], unknown: 2 })).toEqual({
      params: { id: 'a' },
      query: {},
      body: { items: ['a', { id: 'b' }], on: true },
    });
  });

  it('names all failing fields of all parts, also inside of unions', () => {
    const { details, message } = failure(() => run({ items: ['long', { id: 'long', more: 'x' }, 7], on: 1 }, 'long'));
    expect(details.map((detail) => detail.path)).toEqual([
      'params.id',
      'body.items[0]',
      'body.items[1].id',
      'body.items[1].more',
      'body.items[2]',
      'body.on',
    ]);
    expect(message).toMatch(/^params\.id: .+ \(and 5 more\)$/);
  });

  it.each([
    ['signIn', { email: 1 }, ['email', 'password']],
    ['signIn', { email: 'x' }, ['email', 'password']],
    ['signIn', { email: 'a@b.example' }, ['password']],
    ['signIn', { link: '' }, ['link']],
    ['createOrganizationInvite', { role: 'zz' }, ['role']],
    ['createOrganizationInvite', {}, ['role']],
    ['createOrganizationInvite', { level: 'zz', collection: 'c' }, ['level']],
    ['updateOrganizationById', { mergeRules: { type: 'rules', rules: [{ rule: 'x' }] } }, ['mergeRules.rules[0].rule']],
  ])('names the fields of the likeliest branch of a union: %s %j', (id, body, paths) => {
    expect(refusedBody(id, body).map((detail) => detail.path)).toEqual(paths.map((path) => `body.${path}`));
  });

  it('says what a union expects when no branch is likely', () => {
    expect(refusedBody('updateOrganizationById', { mergeRules: 7 })).toEqual([
      { path: 'body.mergeRules', message: 'Must be an object' },
    ]);
    expect(refusedBody('updateOrganizationById', { mergeRules: { type: 'zz' } })).toEqual([
      { path: 'body.mergeRules.type', message: expect.stringMatching(/^Must be one of .*"none"/) },
    ]);
    expect(refusedBody('inviteUsersToOrganization', { emails: [7] })).toEqual([
      { path: 'body.emails[0]', message: 'Must be a string or an object' },
    ]);
  });

  it('names malformed headers together with failing input', () => {
    const headers = { 'idempotency-key': 'a b', 'if-match': 'x' };
    const broken = Buffer.from('{"items":["\\u0000"],"x":"\\ud800"}');
    const { details } = failure(() =>
      validate({ params: { id: 'long' }, url: '/x?dryRun=maybe&__proto__=1', headers, body: broken }),
    );
    expect(details.map((detail) => detail.path)).toEqual([
      'query',
      'params.id',
      'body.items[0]',
      'body.x',
      'headers.idempotency-key',
      'headers.if-match',
      'query.dryRun',
    ]);
  });

  it('names a malformed page beside other fields, and uses the message of lists when it is the only one', () => {
    const listed = operationList.find(({ id }) => id === 'listTeamsInOrganizationById');
    const query = (text: string) =>
      failure(() =>
        compileValidator(listed as Operation)({
          params: { organizationId: 'o' },
          url: `/x?${text}`,
          headers: {},
          body: undefined,
        }),
      );
    for (const page of [
      '',
      'x',
      'eyJ2IjoxfQ.12',
      `eyJ2IjoxfQ.${'0'.repeat(17)}`,
      `${'a'.repeat(2_040)}.${'0'.repeat(16)}`,
    ]) {
      expect([page, query(`page=${page}&limit=-1`).details.map(({ path }) => path)]).toEqual([
        page,
        ['query.page', 'query.limit'],
      ]);
    }
    expect(query('page=x')).toMatchObject({
      message: 'Invalid page',
      details: [{ path: 'query.page', message: 'Invalid page' }],
    });
    expect(query(`page=eyJ2IjoxfQ.${'0'.repeat(16)}&limit=-1`).details.map(({ path }) => path)).toEqual([
      'query.limit',
    ]);
  });

  it('gives a reason that all fields share, unless the reason is that they are invalid', () => {
    const few = { message: 'Must be few', params: { reason: 'too_large' } };
    const text = z.string().refine((given) => given.length < 3, few);
    const sized = operation({
      ...base,
      id: 's',
      method: 'POST',
      body: z.object({ one: z.union([text, z.object({ text })]), two: text, name: z.string().max(3).optional() }),
    });
    const post = (body: object) =>
      failure(() => compileValidator(sized)({ params: {}, url: '/x', headers: {}, body: bytes(body) }));
    expect(post({ one: { text: 'long' }, two: 'long' })).toMatchObject({
      reason: 'too_large',
      message: 'body.one.text: Must be few (and 1 more)',
      details: [
        { path: 'body.one.text', message: 'Must be few' },
        { path: 'body.two', message: 'Must be few' },
      ],
    });
    const { reason, details } = post({ one: 'x', two: 'long', name: 'long' });
    expect([reason, details.map(({ path }) => path)]).toEqual(['invalid_request', ['body.two', 'body.name']]);
  });

  it('names at most 100 fields, and shortens long names', () => {
    expect(failure(() => run({ items: Array(5_000).fill(7) })).details).toHaveLength(100);
    const map = operation({ ...base, id: 'm', method: 'POST', body: z.record(z.string(), z.int()) });
    const { details } = failure(() =>
      compileValidator(map)({ params: {}, url: '/x', headers: {}, body: bytes({ ['k'.repeat(1_000_000)]: 'x' }) }),
    );
    expect(details[0]?.path.length).toBeLessThan(100);
  });

  it('requires a body unless it is optional', () => {
    expect(failure(() => run(undefined)).details).toEqual([{ path: 'body', message: 'A body is required' }]);
    const optional = operation({ ...base, id: 'o', method: 'PUT', body: z.object({}), bodyOptional: true });
    expect(compileValidator(optional)({ params: {}, url: '/x', headers: {}, body: undefined }).input.toString()).toBe(
      '{"params":{},"query":{}}',
    );
  });
});
