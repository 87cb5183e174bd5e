import { describe, expect, it } from '@jest/globals';
import { packOf, specification } from '../test/compiled.js';
import { changesBetween } from './changes-between.js';

const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const get = (operation: object, schemas: object = {}, more: object = {}) =>
  specification({
    paths: { '/orders': { get: { responses: { 200: { description: 'x' } }, ...operation } } },
    components: { schemas },
    ...more,
  });
const between = async (a: object, b: object) => changesBetween(await packOf(a), await packOf(b));
const orders = { kind: 'operation', method: 'get', path: '/orders' };
const parameter = (more: object) => ({ parameters: [{ name: 'q', in: 'query', schema: { type: 'string' }, ...more }] });
const answers = (schema: object) => ({ responses: { 200: { description: 'x', ...content(schema) } } });

describe('what changed between two versions', () => {
  it('is nothing when members only changed places', async () => {
    expect(await between(get({ summary: 'a', operationId: 'b' }), get({ operationId: 'b', summary: 'a' }))).toEqual([]);
  });

  it('is each operation, webhook and schema that came or went', async () => {
    const more = specification({
      paths: { '/items': { post: {} } },
      webhooks: { made: { post: {} } },
      components: { schemas: { Item: {} } },
    });
    expect(await between(get({}), more)).toEqual([
      { kind: 'operation', change: 'added', breaking: false, method: 'post', path: '/items', what: [] },
      { ...orders, change: 'removed', breaking: true, what: [] },
      { kind: 'webhook', change: 'added', breaking: false, method: 'post', path: 'made', what: [] },
      { kind: 'schema', change: 'added', breaking: false, name: 'Item', what: [] },
    ]);
  });

  it.each<[what: string, before: object, after: object, breaking: boolean, text: string]>([
    ['a parameter that may be sent', {}, parameter({}), false, 'query parameter q added'],
    ['a parameter that must be sent', {}, parameter({ required: true }), true, 'query parameter q added, required'],
    [
      'a parameter that must be sent now',
      parameter({}),
      parameter({ required: true }),
      true,
      'query parameter q is required now',
    ],
    ['a parameter that is gone', parameter({}), {}, true, 'query parameter q removed'],
    [
      'another type of a parameter',
      parameter({}),
      parameter({ schema: { type: 'integer' } }),
      true,
      'query parameter q: type is integer, was string',
    ],
    [
      'more types of a parameter',
      parameter({}),
      parameter({ schema: { type: ['string', 'null'] } }),
      false,
      'query parameter q: type is string | null, was string',
    ],
    [
      'a limit of a parameter',
      parameter({}),
      parameter({ schema: { type: 'string', maxLength: 5 } }),
      true,
      'query parameter q: maxLength is 5, was not set',
    ],
    [
      'fewer values of a parameter',
      parameter({ schema: { enum: ['a', 'b'] } }),
      parameter({ schema: { enum: ['a'] } }),
      true,
      'query parameter q: value "b" removed',
    ],
    [
      'more values of an answer',
      answers({ enum: ['a'] }),
      answers({ enum: ['a', 'b'] }),
      true,
      'response 200: value "b" added',
    ],
    [
      'more types of an answer',
      answers({ type: 'string' }),
      answers({ type: ['string', 'null'] }),
      true,
      'response 200: type is string | null, was string',
    ],
    [
      'an integer in place of a number',
      answers({ type: 'number' }),
      answers({ type: 'integer' }),
      false,
      'response 200: type is integer, was number',
    ],
    [
      'a property of an answer',
      answers({ properties: {} }),
      answers({ properties: { a: {} } }),
      false,
      'response 200.a added',
    ],
    [
      'a property of an answer that is gone',
      answers({ properties: { a: {} } }),
      answers({ properties: {} }),
      true,
      'response 200.a removed',
    ],
    ['a body', {}, { requestBody: content({}) }, false, 'body added'],
    ['a body that must be sent', {}, { requestBody: { required: true, ...content({}) } }, true, 'body added, required'],
    [
      'an answer that is gone',
      { responses: { 200: { description: 'x' }, 201: { description: 'y' } } },
      {},
      true,
      'response 201 removed',
    ],
    [
      'another answer',
      {},
      { responses: { 200: { description: 'x' }, 404: { description: 'y' } } },
      false,
      'response 404 added',
    ],
    ['authorization', {}, { security: [{ key: [] }] }, true, 'authorization changed'],
    ['no authorization', { security: [{ key: [] }] }, {}, false, 'authorization changed'],
    ['words', { summary: 'a' }, { summary: 'b' }, false, 'summary changed'],
    ['the end of an operation', {}, { deprecated: true }, false, 'deprecated'],
  ])('tells whether it breaks a client: %s', async (_what, a, b, ...[breaking, text]) => {
    expect(await between(get(a), get(b))).toEqual([{ ...orders, change: 'changed', breaking, what: [text] }]);
  });

  it('of a schema breaks those who write it, or those who read it', async () => {
    const ref = { $ref: '#/components/schemas/Order' };
    const open = { Order: { type: 'object', properties: { id: {} } } };
    const strict = { Order: { type: 'object', properties: { id: {} }, required: ['id'] } };
    const changed = (breaking: boolean, what: string) => [
      { kind: 'schema', change: 'changed', name: 'Order', breaking, what: [what] },
    ];
    const [read, written] = [answers(ref), { requestBody: content(ref) }];
    expect(await between(get(read, open), get(read, strict))).toEqual(changed(false, 'id is required now'));
    expect(await between(get(read, strict), get(read, open))).toEqual(changed(true, 'id is no longer required'));
    expect(await between(get(written, open), get(written, strict))).toEqual(changed(true, 'id is required now'));
    expect(await between(get(written, strict), get(written, open))).toEqual(changed(false, 'id is no longer required'));
    expect(await between(get({}, open), get({}, strict))).toEqual(changed(false, 'id is required now'));
  });

  it('of a webhook breaks who reads its request', async () => {
    const hook = (schema: object) => specification({ webhooks: { made: { post: { requestBody: content(schema) } } } });
    const [a, b] = [hook({ properties: { id: {} }, required: ['id'] }), hook({ properties: { id: {} } })];
    expect(await between(a, b)).toMatchObject([
      { kind: 'webhook', path: 'made', breaking: true, what: ['body: id is no longer required'] },
    ]);
    expect(await between(b, a)).toMatchObject([{ kind: 'webhook', breaking: false }]);
  });
});
