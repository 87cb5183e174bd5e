import { describe, expect, it } from '@jest/globals';
import { compile } from './compile.js';
import { compiled, documentOf, specification } from './test/compiled.js';

const hidden = { 'x-internal': true };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const order = { id: 'kept', SECRET: 'SECRET' };
const schemas = {
  Order: { type: 'object', properties: { id: { type: 'string' }, SECRET: { type: 'string', ...hidden } } },
  Alias: ref('Order'),
  Special: { allOf: [ref('Order'), { type: 'object', properties: { more: ref('Order') } }] },
  Open: { type: 'object', properties: { id: { type: 'string' } } },
  Tree: { allOf: [ref('Order')], properties: { below: { type: 'array', items: ref('Tree') } } },
  Pet: { type: 'object', properties: { id: {} }, discriminator: { propertyName: 'kind' } },
  Cat: { allOf: [ref('Pet')], properties: { SECRET: { ...hidden } } },
};

/** What is left of a value that stands beside a schema, in all the places that a value can have. */
const leftOf = async (schema: object, value: unknown): Promise<unknown> => {
  const document = documentOf(
    await compiled(
      specification({
        paths: {
          '/a': {
            post: {
              parameters: [{ name: 'q', in: 'query', schema, example: value }],
              requestBody: {
                content: {
                  'application/json': { schema, examples: { a: { value }, b: { $ref: '#/components/examples/B' } } },
                },
              },
              responses: { 200: { description: 'x', headers: { H: { schema, example: value } } } },
            },
          },
        },
        components: {
          examples: { B: { value }, Unused: { value } },
          schemas: {
            ...schemas,
            Whole: { allOf: [schema], default: value, const: value, examples: [value], enum: [value], example: value },
            Inner: { allOf: [schema, { example: value }] },
            Around: { type: 'object', properties: { it: schema }, example: { it: value } },
          },
        },
      }),
    ),
  );
  expect(JSON.stringify(document)).not.toContain('SECRET');
  const whole = (document['components'] as { schemas: { Whole: { default?: unknown } } }).schemas.Whole;
  return whole.default;
};

describe('values of internal properties', () => {
  it.each<[where: string, schema: object, value: unknown, left: unknown]>([
    ['a reference', ref('Order'), order, { id: 'kept' }],
    ['references to references', ref('Alias'), order, { id: 'kept' }],
    ['allOf', ref('Special'), { ...order, more: order }, { id: 'kept', more: { id: 'kept' } }],
    ['lists', { type: 'array', items: ref('Order') }, [order, { id: 'b' }], [{ id: 'kept' }, { id: 'b' }]],
    ['maps', { type: 'object', additionalProperties: ref('Order') }, { a: order }, { a: { id: 'kept' } }],
    ['trees', ref('Tree'), { ...order, below: [{ ...order }] }, { id: 'kept', below: [{ id: 'kept' }] }],
    ['what may be null', { oneOf: [ref('Order'), { type: 'null' }] }, order, { id: 'kept' }],
  ])('are taken out behind %s', async (_where, schema, value, left) => {
    expect(await leftOf(schema, value)).toEqual(left);
  });

  it.each<[what: string, schema: object, value: unknown]>([
    ['one of several schemas', { oneOf: [ref('Order'), ref('Open')] }, order],
    ['any of several schemas', { anyOf: [ref('Order'), ref('Open')] }, order],
    ['a schema for names that match', { type: 'object', patternProperties: { '^a': ref('Order') } }, { a: order }],
    ['a text in place of an object', ref('Order'), JSON.stringify(order)],
    ['a list in place of an object', ref('Order'), [order]],
    ['an object in place of a list', { type: 'array', items: ref('Order') }, order],
    ['one of the heirs of a schema', ref('Pet'), { id: 'a', kind: 'Cat', SECRET: 'SECRET' }],
    ['a schema that is internal', { allOf: [{ ...hidden }, ref('Open')] }, order],
  ])('go with the whole value when it is that of %s', async (_what, schema, value) => {
    expect(await leftOf(schema, value)).toBeUndefined();
  });

  it('are not looked for in values of schemas that have none', async () => {
    const value = { id: 'x', list: ['a'] };
    const document = documentOf(
      await compiled(
        specification({ components: { schemas: { ...schemas, Open: { ...schemas.Open, example: value } } } }),
      ),
    );
    expect(document).toMatchObject({ components: { schemas: { Open: { example: value } } } });
  });

  it('are no names of encodings', async () => {
    const media = { schema: ref('Order'), encoding: { SECRET: { contentType: 'a/b' }, id: { contentType: 'a/b' } } };
    const post = {
      requestBody: { content: { 'multipart/form-data': media } },
      responses: { 200: { description: 'x' } },
    };
    const document = documentOf(await compiled(specification({ paths: { '/a': { post } }, components: { schemas } })));
    expect(JSON.stringify(document)).not.toContain('SECRET');
    expect(JSON.stringify(document)).toContain('"encoding":{"id"');
  });

  it('are not looked for without end in schemas that are made of each other', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, i) => [`S${i}`, { allOf: [ref(`S${i + 1}`), ref(`S${i + 1}`)] }]),
    );
    const many = { ...chain, S2000: { properties: { SECRET: { ...hidden } }, example: order } };
    const result = await compile(JSON.stringify(specification({ components: { schemas: many } })));
    expect(result.isReadable).toBe(false);
    expect(result.problems.items[0]?.message).toMatch(/too complex/);
  });
});
