import { describe, expect, it } from '@jest/globals';
import { operation } from '@scriptorium/contracts';
import * as z from 'zod';
import { nestsDeeper, parseJsonBody } from './json-body.js';
import { compileQuery } from './query.js';
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
    expect(read(`/v1/x${query}`)).toEqual(values);
  });

  it('cannot carry objects, which stops the start', () => {
    expect(() => compileQuery(z.object({ filter: z.object({}) }))).toThrow('filter');
  });
});

describe('reading a JSON body', () => {
  const parse = (text: string) => parseJsonBody(Buffer.from(text));

  it.each([['null'], ['"a"'], ['{"a":[1,{"b":"\\u00e4\\ud83d\\ude00"}]}'], ['{"constructor":{"prototype":1}}'], ['{"x":"__proto__"}']])('%s', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('names where the harm is, and repeats nothing of the body', () => {
    expect(() => parse('{"a":[{"b":"\\u0000"}]}')).toThrow('body.a[0].b: Must not contain NUL');
    expect(() => parse('{"token":"scr_pat_')).toThrow('The body is not valid JSON');
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
  const write = operation({ ...base, id: 'w', method: 'POST', params: z.object({ id: z.string().max(3) }), body: z.object({ items: z.array(item), on: z.boolean().default(true) }) });
  const validate = compileValidator(write);
  const run = (body: unknown, id = 'a') => JSON.parse(validate({ params: { id }, url: '/x', body }).toString()) as unknown;
  const failure = (action: () => unknown): { message: string; details: { path: string; message: string }[] } => {
    try {
      action();
    } catch (error) {
      return error as ReturnType<typeof failure>;
    }
    throw new Error('Nothing was refused');
  };

  it('gives the output of the schemas', () => {
    expect(run({ items: ['a', { id: 'b', unknown: 1 }], unknown: 2 })).toEqual({ params: { id: 'a' }, query: {}, body: { items: ['a', { id: 'b' }], on: true } });
  });

  it('names all failing fields of all parts, inside of unions too', () => {
    const { details, message } = failure(() => run({ items: ['long', { id: 'long', more: 'x' }, 7], on: 1 }, 'long'));
    expect(details.map((detail) => detail.path)).toEqual(['params.id', 'body.items[0]', 'body.items[1].id', 'body.items[1].more', 'body.items[2]', 'body.on']);
    expect(message).toMatch(/^params\.id: .+ \(and 5 more\)$/);
  });

  it('names a bounded number of fields by bounded names', () => {
    expect(failure(() => run({ items: Array(5_000).fill(7) })).details).toHaveLength(100);
    const map = operation({ ...base, id: 'm', method: 'POST', body: z.record(z.string(), z.int()) });
    const { details } = failure(() => compileValidator(map)({ params: {}, url: '/x', body: { ['k'.repeat(1_000_000)]: 'x' } }));
    expect(details[0]?.path.length).toBeLessThan(100);
  });

  it('wants a body unless it is optional', () => {
    expect(failure(() => run(undefined)).details).toEqual([{ path: 'body', message: 'A JSON body is required' }]);
    const optional = operation({ ...base, id: 'o', method: 'PUT', body: z.object({}), bodyOptional: true });
    expect(compileValidator(optional)({ params: {}, url: '/x', body: undefined }).toString()).toBe('{"params":{},"query":{}}');
  });
});
