import { describe, expect, it } from '@jest/globals';
import { packOf, specification } from '../test/compiled.js';
import { changesBetween } from './changes-between.js';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = { responses: { 200: { description: 'x' } } };
const get = (operation: object, components: object = {}, path = '/orders') =>
  specification({ paths: { [path]: { get: { ...ok, ...operation } } }, components });
const answers = (schema: object) => ({ responses: { 200: { description: 'x', ...content(schema) } } });
const between = async (a: object, b: object) => changesBetween(await packOf(a), await packOf(b));
const operationIn = async (a: object, b: object) => (await between(a, b)).filter(({ kind }) => kind === 'operation');
const order = { type: 'object', properties: { id: { type: 'string' } } };

describe('a security scheme that an operation uses', () => {
  const secured = (key: object) => get({ security: [{ key: [] }] }, { securitySchemes: { key } });
  const flows = (more: object) => ({
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://a.example/t', scopes: { read: 'Read' }, ...more } },
  });
  const apiKey = { type: 'apiKey', in: 'header', name: 'X-Key' };

  it.each<[what: string, before: object, after: object, breaking: boolean, what: string[]]>([
    ['name', apiKey, { ...apiKey, name: 'X-Token' }, true, ['name is X-Token, was X-Key']],
    ['place', apiKey, { ...apiKey, in: 'query' }, true, ['in is query, was header']],
    [
      'type',
      { type: 'http', scheme: 'basic' },
      { type: 'openIdConnect', openIdConnectUrl: 'https://a.example' },
      true,
      [
        'type is openIdConnect, was http',
        'scheme is not set, was basic',
        'openIdConnectUrl is https://a.example, was not set',
      ],
    ],
    [
      'scheme',
      { type: 'http', scheme: 'basic' },
      { type: 'http', scheme: 'bearer' },
      true,
      ['scheme is bearer, was basic'],
    ],
    [
      'URL',
      flows({}),
      flows({ tokenUrl: 'https://b.example/t' }),
      true,
      ['flow clientCredentials: tokenUrl is https://b.example/t, was https://a.example/t'],
    ],
    ['scope', flows({}), flows({ scopes: {} }), true, ['flow clientCredentials: scope read removed']],
    [
      'flow',
      flows({}),
      { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://a.example', scopes: {} } } },
      true,
      ['flow clientCredentials removed', 'flow implicit added'],
    ],
    [
      'further scope',
      flows({}),
      flows({ scopes: { read: 'Read', write: 'W' } }),
      false,
      ['flow clientCredentials: scope write added'],
    ],
    ['description', apiKey, { ...apiKey, description: 'x' }, false, ['description changed']],
    [
      'spelling',
      { type: 'http', scheme: 'Bearer' },
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      false,
      ['bearerFormat changed'],
    ],
  ])('is compared: another %s', async (_what, a, b, ...[breaking, what]) => {
    expect(await between(secured(a), secured(b))).toEqual([
      {
        kind: 'operation',
        change: 'changed',
        method: 'get',
        path: '/orders',
        breaking,
        what: what.map((text) => `security scheme key: ${text}`),
      },
    ]);
  });
});

describe('what means the same', () => {
  it.each<[what: string, before: object, after: object, text: string]>([
    [
      'a reference in place of a schema',
      get(answers(order)),
      get(answers(ref('Order')), { schemas: { Order: order } }),
      'response 200: is Order, was object, which means the same',
    ],
    [
      'a schema in place of a reference',
      get(answers(ref('Order')), { schemas: { Order: order } }),
      get(answers(order)),
      'response 200: is object, was Order, which means the same',
    ],
    [
      'another name of a schema',
      get(answers({ type: 'array', items: ref('Order') }), { schemas: { Order: order } }),
      get(answers({ type: 'array', items: ref('Purchase') }), { schemas: { Purchase: order } }),
      'response 200[]: is Purchase, was Order, which means the same',
    ],
    [
      'another name of a schema that contains itself',
      get(answers(ref('A')), { schemas: { A: { properties: { next: ref('A') } } } }),
      get(answers(ref('B')), { schemas: { B: { properties: { next: ref('B') } } } }),
      'response 200: is B, was A, which means the same',
    ],
    [
      'another name of a parameter of the path',
      get({ parameters: [{ name: 'x', in: 'path', required: true, schema: {} }] }, {}, '/orders/{x}'),
      get({ parameters: [{ name: 'y', in: 'path', required: true, schema: {} }] }, {}, '/orders/{y}'),
      'path is /orders/{y}, was /orders/{x}',
    ],
  ])('breaks nobody: %s', async (_what, a, b, text) => {
    expect(await operationIn(a, b)).toEqual([
      expect.objectContaining({ change: 'changed', breaking: false, what: [text] }),
    ]);
  });

  it('is no other alternative', async () => {
    const one = (name: string) =>
      get(answers({ oneOf: [ref(name), { type: 'null' }] }), { schemas: { [name]: order } });
    expect(await operationIn(one('A'), one('B'))).toMatchObject([{ breaking: false, what: [expect.any(String)] }]);
  });

  it('is told from what does not, which is compared where it is used', async () => {
    const strict = { ...order, properties: { id: { type: 'integer' } } };
    const [a, b] = [
      get(answers(ref('A')), { schemas: { A: order } }),
      get(answers(ref('B')), { schemas: { B: strict } }),
    ];
    expect(await operationIn(a, b)).toMatchObject([
      { breaking: true, what: ['response 200.id: type is integer, was string'] },
    ]);
    const gone = get(answers({ ...ref('B'), description: 'x' }), { schemas: { B: order } });
    expect(await operationIn(a, gone)).toMatchObject([{ breaking: true, what: ['response 200: is B, was A'] }]);
  });

  it('is found soon when all of many schemas have other names', async () => {
    const many = (prefix: string) => {
      const names = Array.from({ length: 2_000 }, (_, i) => [
        `${prefix}${i}`,
        { properties: { a: ref(`${prefix}${i + 1}`), b: ref(`${prefix}${i + 2}`) } },
      ]);
      return get(answers(ref(`${prefix}0`)), { schemas: Object.fromEntries(names) });
    };
    expect(await operationIn(many('A'), many('B'))).toHaveLength(1);
  });
});

describe('a change', () => {
  const parameter = (more: object) => ({ parameters: [{ name: 'q', in: 'query', schema: {}, ...more }] });
  const headers = (more: object) => ({ responses: { 200: { description: 'x', headers: more } } });

  it.each<[what: string, before: object, after: object, breaking: boolean, text: string]>([
    ['of a parameter', parameter({ required: true }), parameter({}), false, 'query parameter q is no longer required'],
    ['of words', parameter({ description: 'a' }), parameter({}), false, 'query parameter q: description changed'],
    ['of a header that is gone', headers({ 'X-A': { schema: {} } }), {}, true, 'response 200: header X-A removed'],
    ['of a header that came', {}, headers({ 'X-A': { schema: {} } }), false, 'response 200: header X-A added'],
    [
      'of the type of a header',
      headers({ 'X-A': { schema: { type: 'string' } } }),
      headers({ 'x-a': { schema: { type: 'integer' } } }),
      true,
      'response 200: header X-A: type is integer, was string',
    ],
    ['of an answer', {}, { responses: { 200: { description: 'y' } } }, false, 'response 200: description changed'],
    ['of something else', {}, { 'x-group': 'a' }, false, 'x-group changed'],
    ['of the end', { deprecated: true }, {}, false, 'no longer deprecated'],
    [
      'of a body',
      { requestBody: { required: true, ...content({}) } },
      { requestBody: content({}) },
      false,
      'body is no longer required',
    ],
    [
      'of an example',
      { requestBody: { content: { 'a/b': { example: 1 } } } },
      { requestBody: { content: { 'a/b': { example: 2 } } } },
      false,
      'body: a/b: example changed',
    ],
    [
      'of a mark',
      answers({ type: 'string' }),
      answers({ type: 'string', 'x-a': 1 }),
      false,
      'response 200: x-a changed',
    ],
  ])('says what it is: %s', async (_what, a, b, ...[breaking, text]) => {
    expect(await between(get(a), get(b))).toMatchObject([{ change: 'changed', breaking, what: [text] }]);
  });
});
