import { describe, expect, it } from '@jest/globals';
import { dump } from 'js-yaml';
import { compile, specificationBounds } from './compile.js';
import { compiled, documentOf, specification } from './test/compiled.js';

const refusalOf = async (text: string) => {
  const result = await compile(text);
  if (result.isReadable) throw new Error('It was read');
  return result.problems.items[0];
};
const shop = specification({ paths: { '/orders': { get: { responses: { 200: { description: 'All orders' } } } } } });

describe('a specification', () => {
  it('has the same forms from JSON and from YAML, and each time', async () => {
    const [json, yaml, again] = [await compiled(shop), await compiled(dump(shop)), await compiled(shop)];
    expect(json.format).toBe('json');
    expect(yaml).toEqual({ ...json, format: 'yaml' });
    expect(again).toEqual(json);
    expect(json).toMatchObject({ title: 'Shop', operations: 1, schemas: 0, problems: { items: [], count: 0 } });
  });

  it.each([
    [
      'Swagger 2.0',
      { swagger: '2.0', info: { title: 'Shop', version: '1' }, paths: {}, definitions: { Pet: { type: 'object' } } },
    ],
    [
      'OpenAPI 3.0',
      {
        openapi: '3.0.3',
        info: { title: 'Shop', version: '1' },
        paths: {},
        components: { schemas: { Pet: { type: 'object' } } },
      },
    ],
    ['OpenAPI 3.1', specification({ components: { schemas: { Pet: { type: 'object' } } } })],
  ])('of %s becomes one of OpenAPI 3.1', async (_version, given) => {
    const document = documentOf(await compiled(given));
    expect(document['openapi']).toMatch(/^3\.1/);
    expect(document).toMatchObject({ components: { schemas: { Pet: { type: 'object' } } } });
  });

  it('keeps what Swagger 2.0 says of authorization, bodies and lists', async () => {
    const given = {
      swagger: '2.0',
      info: { title: 'Shop', version: '1' },
      host: 'api.example.com',
      basePath: '/v1',
      schemes: ['https'],
      consumes: ['application/json'],
      securityDefinitions: {
        login: {
          type: 'oauth2',
          flow: 'accessCode',
          authorizationUrl: 'https://a.example/a',
          tokenUrl: 'https://a.example/t',
          scopes: { read: 'Read' },
        },
      },
      paths: {
        '/orders': {
          post: {
            parameters: [
              { in: 'query', name: 'ids', type: 'array', items: { type: 'string' }, collectionFormat: 'multi' },
              { in: 'body', name: 'body', required: true, schema: { type: 'object' } },
            ],
            responses: { 200: { description: 'Made' } },
          },
        },
      },
    };
    expect(documentOf(await compiled(given))).toMatchObject({
      servers: [{ url: 'https://api.example.com/v1' }],
      components: { securitySchemes: { login: { flows: { authorizationCode: { scopes: { read: 'Read' } } } } } },
      paths: {
        '/orders': {
          post: {
            parameters: [{ in: 'query', name: 'ids', schema: { type: 'array' }, explode: true }],
            requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
          },
        },
      },
    });
  });

  it('stands with problems, each with its line and column', async () => {
    const text =
      'openapi: 3.0.3\ninfo:\n  title: Shop\n  version: "1"\npaths:\n  /orders:\n    get:\n      responses:\n        "200":\n          $ref: "#/components/responses/Gone"\n';
    const { problems } = await compiled(text);
    expect(problems.items).toEqual([
      expect.objectContaining({
        code: 'no-unresolved-refs',
        severity: 'error',
        line: 10,
        column: 11,
        pointer: '/paths/~1orders/get/responses/200',
      }),
    ]);
    expect(problems.count).toBe(1);
  });

  it('tells at most 100 problems, and how many there are', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 150 }, (_, i) => [`/p${i}`, { get: { summary: 1, responses: {} } }]),
    );
    const { problems } = await compiled(specification({ paths }));
    expect(problems.items).toHaveLength(100);
    expect(problems.count).toBeGreaterThanOrEqual(150);
  });

  it.each([
    ['to itself', { A: { $ref: '#/components/schemas/A' } }],
    ['in a circle', { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } }],
    ['into itself', { A: { $ref: '#/components/schemas/A/properties/x' } }],
  ])('stands when a reference leads %s, which is a problem', async (_where, schemas) => {
    const { problems } = await compiled(
      specification({ components: { schemas: { ...schemas, Pet: { type: 'nothing' } } } }),
    );
    expect(problems.items.filter(({ code }) => code === 'circular')).toHaveLength(Object.keys(schemas).length);
    expect(problems.items.filter(({ line }) => line === undefined)).toEqual([]);
    expect(problems.items.some(({ pointer }) => pointer === '/components/schemas/Pet/type')).toBe(true);
  });

  it('may have schemas that contain themselves', async () => {
    const Tree = {
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
    };
    const { problems } = await compiled(specification({ components: { schemas: { Tree } } }));
    expect(problems.count).toBe(0);
  });

  it('may have members named __proto__, which are left out', async () => {
    const text = JSON.stringify(specification({ components: { schemas: { A: { type: 'object' } } } })).replace(
      '"A":',
      '"__proto__":{"type":"string"},"A":',
    );
    expect(documentOf(await compiled(text))).toMatchObject({ components: { schemas: { A: { type: 'object' } } } });
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  });
});

describe('a text that is no specification', () => {
  it.each([
    ['an HTML page', '<!doctype html>\n<html><body>x</body></html>', /OpenAPI 3|YAML|no object/],
    ['an HTML page with quotes', '<a href="x">: y</a>\n  z: [', /YAML/],
    ['a text', 'hello', /no object/],
    ['an empty text', '', /YAML/],
    ['a list', '[]', /no object/],
    ['no OpenAPI', '{"openapi":"2.0"}', /neither OpenAPI 3 nor Swagger 2\.0/],
    ['AsyncAPI', '{"asyncapi":"2.0.0"}', /neither OpenAPI 3 nor Swagger 2\.0/],
    [
      'too large',
      `{"openapi":"3.1.0","info":{"title":"${'x'.repeat(specificationBounds.bytes)}"}}`,
      /larger than 20 MiB/,
    ],
    ['deep', '['.repeat(50_000), /YAML|deep/],
    ['deep JSON', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, /deeper than 256 levels/],
    ['deep and not closed', `{"a":${'['.repeat(50_000)}`, /ends too early/],
  ])('is refused: %s', async (_what, text, message) => {
    const start = performance.now();
    expect((await refusalOf(text))?.message).toMatch(message);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it.each([
    ['{"openapi":"3.1.0",\n  "info" {}}', { line: 2, column: 10 }],
    ['{"openapi":"3.1.0",\n "a": 01}', { line: 2, column: 7 }],
    ['openapi: 3.1.0\ninfo: [a\nb: 1', { line: 3, column: 1 }],
  ])('is refused with the place of the mistake: %j', async (text, place) => {
    expect(await refusalOf(text)).toMatchObject(place);
  });

  it('is refused soon when its aliases stand for very much', async () => {
    const levels = Array.from({ length: 9 }, (_, i) => `l${i + 1}: &l${i + 1} [${`*l${i},`.repeat(9)}]`);
    const start = performance.now();
    expect((await refusalOf(`openapi: 3.1.0\nl0: &l0 [x]\n${levels.join('\n')}`))?.message).toMatch(/too complex/);
    const long = `openapi: 3.1.0\na: &a ${'x'.repeat(1_000_000)}\nb: [${'*a,'.repeat(1_000)}]`;
    expect((await refusalOf(long))?.message).toMatch(/too complex/);
    expect(performance.now() - start).toBeLessThan(1_000);
    expect((await refusalOf('openapi: 3.1.0\na: &a {x: *a}'))?.message).toMatch(/alias/);
  });

  it('is refused over the limits of operations and schemas', async () => {
    const paths = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`/p${i}`, { get: {} }]));
    expect((await refusalOf(JSON.stringify(specification({ paths }))))?.message).toMatch(/more than 10000 operations/);
    const schemas = Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`S${i}`, {}]));
    expect((await refusalOf(JSON.stringify(specification({ components: { schemas } }))))?.message).toMatch(
      /more than 5000 schemas/,
    );
  });
});
