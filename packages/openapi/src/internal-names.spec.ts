import { describe, expect, it } from '@jest/globals';
import { readSpecification } from './reading/read-specification.js';
import { compiled, documentOf, specification } from './test/compiled.js';

const hidden = { 'x-internal': true };
const read = async (given: object) => documentOf(await compiled(given));
const textOf = (value: unknown) => JSON.stringify(value);
const ok = { responses: { 200: { description: 'x' } } };

describe('an internal part of Swagger 2.0', () => {
  const swagger = {
    swagger: '2.0',
    info: { title: 'Shop', version: '1' },
    securityDefinitions: { SECRETkey: { type: 'basic', ...hidden }, open: { type: 'basic' } },
    security: [{ SECRETkey: [], open: [] }],
    definitions: {
      Order: { type: 'object', properties: { id: { type: 'string' }, SECRET: { type: 'string', ...hidden } } },
      OnlySECRET: { type: 'string' },
    },
    parameters: { SECRETpart: { in: 'formData', name: 'SECRETb', type: 'string', ...hidden } },
    paths: {
      '/orders': {
        post: {
          consumes: ['multipart/form-data'],
          parameters: [
            { in: 'formData', name: 'SECRETa', type: 'string', ...hidden },
            { $ref: '#/parameters/SECRETpart' },
            { in: 'formData', name: 'file', type: 'file' },
          ],
          responses: {
            200: {
              description: 'x',
              schema: { $ref: '#/definitions/Order' },
              examples: { 'application/json': { id: 'a', SECRET: 'SECRET' } },
            },
          },
        },
        put: {
          ...hidden,
          parameters: [{ in: 'body', name: 'b', schema: { $ref: '#/definitions/OnlySECRET' } }],
          ...ok,
        },
      },
    },
  };

  it('is in no form: form fields, security, values, and what only it uses', async () => {
    const document = await read(swagger);
    expect(textOf(document)).not.toContain('SECRET');
    expect(document).toMatchObject({
      security: [{ open: [] }],
      paths: {
        '/orders': {
          post: {
            requestBody: { content: { 'multipart/form-data': { schema: { properties: { file: {} } } } } },
            responses: { 200: { content: { 'application/json': {} } } },
          },
        },
      },
    });
    expect(textOf(document)).toContain('"id":"a"');
    expect(textOf(readSpecification(textOf(swagger)))).not.toContain('SECRET');
  });
});

describe('an internal tag', () => {
  it('hides the operations that have no other tag, and its name', async () => {
    const document = await read(
      specification({
        tags: [
          { name: 'SECRET', ...hidden },
          { name: 'Orders', parent: 'SECRET', 'x-parent': 'SECRET' },
        ],
        'x-tagGroups': [{ name: 'All', tags: ['SECRET', 'Orders'] }],
        paths: {
          '/a': {
            get: { tags: ['SECRET'], operationId: 'SECRETa', ...ok },
            put: { tags: ['Orders', 'SECRET'], ...ok },
          },
          '/SECRET': { get: { tags: ['SECRET'], ...ok } },
          '/b': { get: { tags: [], ...ok }, put: { ...ok } },
        },
      }),
    );
    expect(textOf(document)).not.toContain('SECRET');
    expect(document['paths']).toMatchObject({ '/a': { put: { tags: ['Orders'] } }, '/b': { get: {}, put: {} } });
  });

  it('hides the problems of such operations', async () => {
    const paths = { '/a': { get: { tags: ['T'], summary: 7, ...ok } } };
    const { problems } = await compiled(specification({ tags: [{ name: 'T', ...hidden }], paths }));
    expect(problems.count).toBe(0);
  });
});

describe('an internal security scheme', () => {
  const secured = (security: object[]) =>
    read(
      specification({
        paths: { '/a': { get: { security, ...ok } } },
        components: {
          securitySchemes: {
            SECRET: { type: 'http', scheme: 'basic', ...hidden },
            AliasOfSECRET: { $ref: '#/components/securitySchemes/SECRET' },
            key: { type: 'http', scheme: 'bearer' },
          },
        },
      }),
    );

  it.each<[what: string, given: object[], left: object[]]>([
    ['beside another one', [{ SECRET: [], key: [] }], [{ key: [] }]],
    ['as another way', [{ SECRET: [] }, { key: ['a'] }], [{ key: ['a'] }]],
    ['by another name', [{ AliasOfSECRET: [] }, { key: [] }], [{ key: [] }]],
    ['alone, and the operation does not look open', [{ SECRET: [] }], [{ undisclosed: [] }]],
    ['alone, where it was optional', [{ SECRET: [] }, {}], [{}]],
    ['nowhere', [], []],
  ])('is not named: %s', async (_what, given, left) => {
    const document = await secured(given);
    expect(textOf(document)).not.toContain('SECRET');
    expect(document).toMatchObject({ paths: { '/a': { get: { security: left } } } });
  });
});

describe('the name of something internal', () => {
  it('is in no link', async () => {
    const links = {
      a: { operationId: 'SECRET' },
      b: { operationRef: '#/paths/~1SECRET/get' },
      c: { $ref: '#/components/links/SECRET' },
      d: { operationRef: '#/paths/~1byRef/get', description: 'SECRET' },
      open: { operationId: 'open' },
    };
    const document = await read(
      specification({
        paths: {
          '/SECRET': { get: { operationId: 'SECRET', ...hidden, ...ok } },
          '/byRef': { $ref: '#/components/pathItems/SECRET' },
          '/a': { get: { operationId: 'open', responses: { 200: { description: 'x', links } } } },
        },
        components: {
          links: { SECRET: { operationId: 'SECRET' } },
          pathItems: { SECRET: { ...hidden, get: { ...ok } } },
        },
      }),
    );
    expect(textOf(document)).not.toContain('SECRET');
    expect(document).toMatchObject({
      paths: { '/a': { get: { responses: { 200: { links: { open: { operationId: 'open' } } } } } } },
    });
  });

  it.each<[where: string, schema: object]>([
    ['another part of allOf', { allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['SECRET', 'id'] }] }],
    ['the schema around it', { required: ['SECRET', 'id'], allOf: [{ $ref: '#/components/schemas/Base' }] }],
    [
      'a component beside it',
      { allOf: [{ $ref: '#/components/schemas/Base' }, { $ref: '#/components/schemas/Required' }] },
    ],
    ['anyOf', { $ref: '#/components/schemas/Base', anyOf: [{ required: ['SECRET'] }, { required: ['id'] }] }],
    [
      'what depends on it',
      {
        $ref: '#/components/schemas/Base',
        dependentRequired: { SECRET: ['id'], id: ['SECRET'] },
        dependentSchemas: { SECRET: { required: ['id'] } },
      },
    ],
    ['a discriminator', { $ref: '#/components/schemas/Base', discriminator: { propertyName: 'SECRET' } }],
  ])('is not required by %s', async (_where, schema) => {
    const document = await read(
      specification({
        components: {
          schemas: {
            Base: { type: 'object', properties: { id: {}, SECRET: { ...hidden } } },
            Required: { required: ['SECRET', 'id'] },
            Order: schema,
          },
        },
      }),
    );
    expect(document).toMatchObject({ components: { schemas: { Order: {} } } });
    const { Required: _, ...schemas } = (document['components'] as { schemas: Record<string, unknown> }).schemas;
    expect(textOf(schemas)).not.toContain('SECRET');
  });

  it('is in no mapping of a discriminator, which goes when it is empty', async () => {
    const mapping = { SECRETa: '#/components/schemas/SECRET', SECRETb: 'SECRET', open: 'Open' };
    const union = (more: object) => ({
      oneOf: [{ $ref: '#/components/schemas/SECRET' }, { $ref: '#/components/schemas/Open' }],
      discriminator: { propertyName: 'kind', ...more },
    });
    const document = await read(
      specification({
        components: {
          schemas: {
            SECRET: { type: 'object', ...hidden },
            Open: { type: 'object' },
            Union: union({ mapping, defaultMapping: 'SECRET' }),
            Other: union({ mapping: { SECRET: 'SECRET' } }),
          },
        },
      }),
    );
    expect(textOf(document)).not.toContain('SECRET');
    expect(document).toMatchObject({
      components: { schemas: { Union: { discriminator: { mapping: { open: 'Open' } } } } },
    });
  });
});
