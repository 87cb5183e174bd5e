import { describe, expect, it } from '@jest/globals';
import { Script } from 'node:vm';
import { operationOf, type OperationSlice } from '../slices/pack.js';
import { packOf, specification } from '../test/compiled.js';
import { exampleOf } from './example.js';
import { toMarkdown } from './markdown.js';
import { snippetsOf } from './snippets.js';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });

async function sliceOf(operation: object, more: object = {}, path = '/orders'): Promise<OperationSlice> {
  const slice = operationOf(
    await packOf(specification({ paths: { [path]: { post: operation } }, ...more })),
    'POST',
    path,
  );
  if (slice === null) throw new Error('There is no such operation');
  return slice;
}
const codeOf = (slice: OperationSlice, label: string) =>
  snippetsOf(slice).find((one) => one.label === label)?.code ?? '';

describe('an example of a schema', () => {
  it('is its own, or is made of its parts', () => {
    expect(exampleOf({ type: 'string', example: 'Ada' }, {}, 'request')).toBe('Ada');
    const Order = {
      type: 'object',
      properties: {
        id: { type: 'integer', readOnly: true },
        items: { type: 'array', items: { $ref: '#/components/schemas/Item' } },
      },
    };
    const schemas = {
      Order,
      Item: {
        allOf: [
          { type: 'object', properties: { name: { type: 'string', default: 'jam' } } },
          { properties: { count: { type: 'integer' } } },
        ],
      },
    };
    const ref = { $ref: '#/components/schemas/Order' };
    expect(exampleOf(ref, schemas, 'response')).toEqual({ id: 0, items: [{ name: 'jam', count: 0 }] });
    expect(exampleOf(ref, schemas, 'request')).toEqual({ items: [{ name: 'jam', count: 0 }] });
  });

  it('is made soon, however densely schemas are connected, and of schemas that contain themselves', () => {
    const names = Array.from({ length: 40 }, (_, i) => `S${i}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));
    const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]));
    const start = performance.now();
    exampleOf({ $ref: '#/components/schemas/S0' }, schemas, 'response');
    expect(performance.now() - start).toBeLessThan(2_000);
    const Tree = {
      type: 'object',
      properties: { name: { type: 'string' }, child: { $ref: '#/components/schemas/Tree' } },
    };
    expect(exampleOf({ $ref: '#/components/schemas/Tree' }, { Tree }, 'response')).toMatchObject({ name: 'string' });
  });

  it('is none when it would be too long', () => {
    expect(exampleOf({ type: 'string', default: 'x'.repeat(20_000) }, {}, 'response')).toBeUndefined();
  });
});

describe('code that calls an operation', () => {
  it('has its server, path, query, authorization and body', async () => {
    const slice = await sliceOf(
      {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', example: 'o 1' } },
          { name: 'dry', in: 'query', required: true, schema: { type: 'boolean' } },
          { name: 'page', in: 'query', schema: { type: 'integer' } },
        ],
        security: [{ key: [] }],
        requestBody: json({
          type: 'object',
          properties: { name: { type: 'string', example: "it's" }, gone: { type: 'null' } },
        }),
        responses: { 200: { description: 'x' } },
      },
      {
        servers: [{ url: 'https://{region}.example.com/v1/', variables: { region: { default: 'eu' } } }],
        components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      },
      '/orders/{id}',
    );
    const url = 'https://eu.example.com/v1/orders/o%201?dry=true';
    expect(codeOf(slice, 'curl')).toBe(
      `curl --request POST '${url}' \\\n  --header 'Authorization: Bearer YOUR_TOKEN' \\\n  --header 'Content-Type: application/json' \\\n  --data '{\n  "name": "it'\\''s",\n  "gone": null\n}'`,
    );
    for (const label of ['JavaScript', 'Python', 'Go']) expect(codeOf(slice, label)).toContain(`"${url}"`);
    expect(codeOf(slice, 'Python')).toContain('"name": "it\'s",\n        "gone": None,');
    expect(codeOf(slice, 'Go')).toContain('strings.NewReader(`{');
  });

  it('cannot be broken out of by what the specification says', async () => {
    const odd = `a'"\`$(id)\\ \u2028\n`;
    const slice = await sliceOf(
      {
        parameters: [
          { name: `q${odd}`, in: 'query', required: true, schema: { type: 'string', example: odd } },
          { name: `h${odd}`, in: 'header', required: true, schema: { type: 'string', example: odd } },
        ],
        requestBody: json({ type: 'object', properties: { [odd]: { type: 'string', example: odd } } }),
        responses: { 200: { description: 'x' } },
      },
      { servers: [{ url: `https://x.example/${odd}` }] },
      `/o${odd}`,
    );
    expect(() => new Script(`async () => { ${codeOf(slice, 'JavaScript')} }`)).not.toThrow();
    // Outside of single quotes curl has its own words only.
    const outside = codeOf(slice, 'curl')
      .replaceAll(String.raw`'\''`, '')
      .replace(/'[^']*'/g, '');
    expect(outside).toMatch(/^curl --request POST( \\\n {2}--(header|data) |\s)+$/);
    expect(codeOf(slice, 'Go')).not.toMatch(/NewReader\(`/);
  });

  it('is first what the specification brings', async () => {
    const slice = await sliceOf({
      'x-codeSamples': [{ lang: 'Ruby', source: 'puts 1' }, { lang: 'Ruby' }, null],
      responses: {},
    });
    expect(snippetsOf(slice)[0]).toEqual({ language: 'ruby', label: 'Ruby', code: 'puts 1' });
    expect(snippetsOf(slice).map(({ label }) => label)).toEqual(['Ruby', 'curl', 'JavaScript', 'Python', 'Go']);
  });
});

describe('an operation as markdown', () => {
  it('has heading, description, parameters, body and responses', async () => {
    const slice = await sliceOf(
      {
        summary: 'Make an *order*',
        description: 'One at a **time**.',
        deprecated: true,
        parameters: [
          {
            name: 'a|b',
            in: 'query',
            required: true,
            description: 'x | y',
            schema: { type: 'array', items: { type: 'string' } },
          },
        ],
        requestBody: json({ type: 'object', properties: { name: { type: 'string', example: '```' } } }),
        responses: { 200: { description: 'Made', ...json({ $ref: '#/components/schemas/Order' }) } },
      },
      { components: { schemas: { Order: {} } } },
    );
    expect(toMarkdown(slice)).toBe(
      [
        String.raw`## Make an \*order\*`,
        '`POST /orders`',
        '**Deprecated**',
        'One at a **time**.',
        '### Parameters',
        [
          '| Name | In | Type | Description |',
          '| --- | --- | --- | --- |',
          String.raw`| ${'`'}a\|b${'`'} | query | string\[\], required | x \| y |`,
        ].join('\n'),
        '### Body',
        '`application/json` object',
        '````json\n{\n  "name": "```"\n}\n````',
        '### Responses',
        '| Status | Description | Body |\n| --- | --- | --- |\n| `200` | Made | `application/json` Order |\n',
      ].join('\n\n'),
    );
  });
});
