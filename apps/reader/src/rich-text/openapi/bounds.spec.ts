import { describe, expect, it } from '@jest/globals';
import { cards, operationBlock, packOf, schemasBlock } from '../../test/api-blocks.js';

const answer = (schema: object): object => ({
  200: { description: 'Good', content: { 'application/json': { schema } } },
});
const api = (parts: object): object => ({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: {}, ...parts });
const named = (count: number, schema: object): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema]));
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const count = (html: string, text: string): number => html.split(text).length - 1;

async function card(operation: object, schemas: object = {}): Promise<string> {
  const pack = await packOf(api({ paths: { '/a': { get: operation } }, components: { schemas } }));
  return cards(operationBlock(pack, 'get', '/a'));
}

describe('what a card may grow to', () => {
  it('is 500 properties, and says how many are left out', async () => {
    const html = await card({ responses: answer({ type: 'object', properties: named(650, { type: 'string' }) }) });
    expect(count(html, 'class="name"')).toBe(500);
    expect(html).toContain('150 more not shown here');
  });

  it('is its part of the page where there are many', async () => {
    const operation = { responses: answer({ type: 'object', properties: named(200, ref('B')) }) };
    const paths = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`/p${index}`, { get: operation }]));
    const B = { type: 'object', properties: named(40, { type: 'string', description: 'A `word`.' }) };
    const pack = await packOf(api({ paths, components: { schemas: { B } } }));
    const blocks = Object.keys(paths).map((path) => operationBlock(pack, 'get', path));
    const before = process.cpuUsage();
    const html = cards(...blocks);
    const { user } = process.cpuUsage(before);
    expect(count(html, '<article ')).toBe(100);
    expect(count(html, 'class="name"')).toBeLessThan(6_000);
    expect(html.length).toBeLessThan(4_000_000);
    expect(user / 1_000).toBeLessThan(5_000);
  }, 60_000);

  it('is small for densely connected schemas', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `S${index}`,
        {
          type: 'object',
          properties: Object.fromEntries(Array.from({ length: 60 }, (_one, to) => [`to${to}`, ref(`S${to}`)])),
          anyOf: Array.from({ length: 60 }, (_one, to) => ref(`S${to}`)),
          allOf: Array.from({ length: 60 }, (_one, to) => ref(`S${to}`)),
        },
      ]),
    );
    const html = await card({ responses: answer(ref('S0')) }, schemas);
    expect(count(html, 'class="name"')).toBeLessThan(10_000);
  });

  it('is small for parts that grow with a power of two', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`S${index}`, { allOf: [ref(`S${index + 1}`), ref(`S${index + 1}`)] }]),
    );
    expect(await card({ responses: answer(ref('S0')) }, { ...schemas, S40: { type: 'string' } })).toContain('S0');
  });

  it.each([
    ['a schema that contains itself', { N: { type: 'object', properties: { next: ref('N') } } }],
    ['a list of itself', { N: { type: 'array', items: ref('N') } }],
    ['a part of itself', { N: { allOf: [ref('N')], properties: { next: ref('N') } } }],
    ['one of itself', { N: { oneOf: [ref('N'), { type: 'string' }] } }],
    ['a circle of two', { N: { properties: { m: ref('M') } }, M: { properties: { n: { items: ref('N') } } } }],
  ])('ends at %s', async (_name, schemas) => {
    const pack = await packOf(
      api({ paths: { '/a': { get: { responses: answer(ref('N')) } } }, components: { schemas } }),
    );
    const html = cards(operationBlock(pack, 'get', '/a'), schemasBlock(pack, 'N'));
    expect(html).toContain('<a href="#schema-N">N</a>');
  });
});

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '<a href="javascript:alert(1)">x</a>',
  '</code></pre></article><script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  '{% openapi-operation spec="s" path="/a" method="get" %}{% endopenapi-operation %}',
  '# Heading\n\n<a id="main"></a>',
];

/** The tags of HTML as a browser reads them: a quoted value may hold anything but the quote. */
function tagsIn(html: string): { name: string; attributes: [string, string][] }[] {
  return [...html.matchAll(/<([a-z][a-z\d]*)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*>/g)].map(([, name = '', rest = '']) => ({
    name,
    attributes: [...rest.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key, value]),
  }));
}

describe('markup in a specification', () => {
  it.each(hostile)('is a text: %s', async (text) => {
    const schema = { title: text, description: text, default: text, enum: [text], pattern: text, format: text };
    const html = await card({
      summary: text,
      description: text,
      'x-stability': text,
      'x-sunset': text,
      servers: [{ url: text, description: text, variables: { [text]: { default: text, enum: [text] } } }],
      parameters: [{ name: text, in: 'query', description: text, schema, example: text }],
      requestBody: { description: text, content: { [text]: { schema, examples: { [text]: { value: text } } } } },
      responses: { [text]: { description: text, content: { [text]: { schema: { properties: { [text]: schema } } } } } },
      'x-codeSamples': [{ lang: text, label: text, source: text }],
    });
    for (const { name, attributes } of tagsIn(html)) {
      expect(['script', 'svg', 'iframe', 'object', 'form', 'style']).not.toContain(name);
      for (const [attribute, value] of attributes) {
        expect(attribute).not.toMatch(/^on/);
        if (['href', 'src'].includes(attribute)) expect(value).toMatch(/^(#|https:)/);
        if (attribute === 'id') expect(value).toMatch(/^(tabs|schema)-/);
      }
    }
    const open = tagsIn(html).filter(({ name }) => name === 'article');
    expect(count(html.replace(/="[^"]*"/g, ''), '</article>')).toBe(open.length);
  });

  it('names what plain objects have', async () => {
    const schemas = JSON.parse(
      '{"__proto__": {"type": "object", "properties": {"constructor": {"type": "string"}}}}',
    ) as object;
    const html = await card({ responses: answer(ref('__proto__')), security: [{ constructor: [] }] }, schemas);
    expect(html).toContain('<strong>constructor</strong>');
  });
});
