import { describe, expect, it } from '@jest/globals';
import { inflateRawSync } from 'node:zlib';
import { openPack } from './slices/pack.js';
import { compiled, documentOf, specification } from './test/compiled.js';

const hidden = { 'x-internal': true, description: 'SECRET' };
const given = specification({
  tags: [{ name: 'SECRET tag', 'x-internal': true }, { name: 'Orders' }],
  paths: {
    '/SECRET': { ...hidden, get: {} },
    '/orders/SECRET': { parameters: [], get: { ...hidden, responses: {} }, put: { ...hidden, responses: {} } },
    '/orders': {
      post: {
        ...hidden,
        operationId: 'SECRET',
        responses: {
          200: {
            description: 'x',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/OnlySECRET' } } },
          },
        },
      },
      get: {
        tags: ['SECRET tag', 'Orders'],
        parameters: [
          { name: 'SECRET', in: 'query', schema: {}, ...hidden },
          { $ref: '#/components/parameters/SECRET' },
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
        ],
        responses: {
          200: {
            description: 'x',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
          500: { $ref: '#/components/responses/SECRET' },
        },
      },
    },
  },
  components: {
    parameters: { SECRET: { name: 'SECRET', in: 'query', schema: {}, ...hidden } },
    responses: { SECRET: { ...hidden } },
    schemas: {
      SECRET: { type: 'string', ...hidden },
      AliasOfSECRET: { $ref: '#/components/schemas/SECRET' },
      OnlySECRET: {
        type: 'object',
        properties: {
          child: { $ref: '#/components/schemas/ChildOfSECRET' },
          both: { $ref: '#/components/schemas/Item' },
        },
      },
      ChildOfSECRET: { type: 'string' },
      Item: { type: 'string' },
      Unused: { type: 'string' },
      Order: {
        type: 'object',
        required: ['id', 'SECRET'],
        properties: {
          id: { type: 'string' },
          item: { $ref: '#/components/schemas/Item' },
          SECRET: { type: 'string', ...hidden },
          other: {
            oneOf: [{ $ref: '#/components/schemas/SECRET' }, { type: 'null' }],
            discriminator: { propertyName: 'x', mapping: { a: '#/components/schemas/SECRET', b: 'SECRET' } },
          },
        },
      },
    },
  },
});

describe('what is marked as internal', () => {
  it('stands in no form of the specification', async () => {
    const forms = await compiled(given);
    const { bytes, index } = openPack(forms.pack.bytes);
    const slices = [...index.operations, ...index.webhooks, ...index.schemas].map(({ name, offset, length }) =>
      name.concat(inflateRawSync(bytes.subarray(offset, offset + length)).toString()),
    );
    const texts = [forms.document.bytes, forms.outline.bytes].map((one) => Buffer.from(one).toString());
    for (const text of [...texts, ...slices]) expect(text).not.toContain('SECRET');
    expect(documentOf(forms)).toMatchObject({
      paths: { '/orders': { get: { tags: ['Orders'], parameters: [{ name: 'limit' }] } } },
      components: { schemas: { Order: { required: ['id'], properties: { other: { oneOf: [{ type: 'null' }] } } } } },
    });
  });

  it('takes schemas with it that nothing else uses, and no others', async () => {
    const { schemas } = documentOf(await compiled(given))['components'] as { schemas: object };
    expect(Object.keys(schemas)).toEqual(['Item', 'Unused', 'Order']);
  });

  it('is named in no problem', async () => {
    const { problems } = await compiled(
      specification({ paths: { '/orders': { get: { 'x-internal': true, summary: 7, responses: {} } } } }),
    );
    expect(problems).toEqual({ items: [], count: 0 });
  });
});
