import { describe, expect, it } from '@jest/globals';
import { compile } from '@scriptorium/openapi';
import { toMarkdown, type RichDocument } from '@scriptorium/rich-text';
import { stringify } from 'yaml';
import { specificationWith } from '../../test/specifications.js';
import { expandSource } from './expand.task.js';

const ref = { kind: 'file', file: 'f1' };
const spec = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  tags: [{ name: 'orders', 'x-displayName': 'Orders', description: 'What was **bought**.' }, { name: 'empty' }],
  paths: {
    '/orders': {
      parameters: [],
      get: { tags: ['orders'], summary: 'List orders', description: 'The newest first.' },
      post: { tags: ['orders', 'other'], description: 'The newest first.' },
    },
    '/health': { get: { summary: 'Health' } },
  },
  components: {
    schemas: {
      Order: {
        description: 'An order.',
        required: ['id'],
        properties: { id: { type: 'string' }, items: { type: 'array', items: { $ref: '#/components/schemas/Item' } } },
      },
    },
  },
};

const expand = (text: string, props: object = {}, named: object = ref) =>
  expandSource({ type: 'builtin:openapi', props: { ...props }, dependencies: { spec: { ref: named, text } } });
const outlineOf = async (given: object): Promise<string> => {
  const forms = await compile(JSON.stringify(given));
  return forms.isReadable ? Buffer.from(forms.outline.bytes).toString() : '';
};
const markdown = (text: string): string => toMarkdown(JSON.parse(text) as RichDocument);

describe('the pages of a specification', () => {
  it('are one for each tag, with its operations, and one with the models if they are wanted', () => {
    const pages = expand(JSON.stringify(spec), { models: true }) ?? [];
    expect(pages.map(({ title, computed }) => [title, computed.props])).toEqual([
      ['Orders', { doc: 'operations', page: 'orders' }],
      ['empty', { doc: 'info', page: 'empty' }],
      ['default', { doc: 'operations', page: 'default' }],
      ['Models', { doc: 'models' }],
    ]);
    const [orders, , , models] = pages.map(({ document }) => markdown(document.text));
    expect(orders).toMatch(/^What was \*\*bought\*\*\.\n\n# List orders\n\nThe newest first\./);
    expect(orders).toContain('# POST /orders');
    expect(orders).toContain('{% openapi src="/files/f1" path="/orders" method="get" %}');
    expect(models).toContain('# Order\n\nAn order.\n\n* `id` string, required\n* `items` Item\\[]');
  });

  it('are the same from JSON and YAML, and each time', () => {
    expect(expand(stringify(spec))).toEqual(expand(JSON.stringify(spec)));
    const keysIn = (text: string) => [...text.matchAll(/"key":"(\w+)"/g)].map(([, key]) => key);
    for (const { document } of expand(JSON.stringify(spec), { models: true }) ?? []) {
      const found = keysIn(document.text);
      expect(new Set(found).size).toBe(found.length);
    }
  });

  it('of a specification of the organization have blocks of its operations, whose titles stand before them', async () => {
    const named = { kind: 'openapi', spec: 'shop' };
    const [orders, , , models] = expand(await outlineOf(spec), { downloadLink: true, models: true }, named) ?? [];
    expect(orders?.document.text).toContain('"type":"openapi-operation"');
    expect(orders?.document.text).not.toContain('content-ref');
    expect(markdown(orders?.document.text ?? '')).toContain('spec="shop" path="/orders" method="post" headless="true"');
    expect(markdown(models?.document.text ?? '')).toContain(
      '# Order\n\n{% openapi-schemas spec="shop" schemas="Order" %}',
    );
  });

  it('have the webhooks of their tags behind the operations; those without a tag have a page of their own', async () => {
    const ref = { kind: 'openapi', spec: 'shop' };
    const made = { post: { tags: ['orders'], summary: 'An order was made', description: 'At once.' } };
    const text = await outlineOf({ ...spec, webhooks: { made, '/orders': { get: {} } } });
    const pages = expand(text, {}, ref) ?? [];
    expect(pages.map(({ title, computed }) => [title, computed.props])).toEqual([
      ['Orders', { doc: 'operations', page: 'orders' }],
      ['empty', { doc: 'info', page: 'empty' }],
      ['default', { doc: 'operations', page: 'default' }],
      ['webhooks', { doc: 'operations', page: 'webhooks' }],
    ]);
    const [orders = '', , , others] = pages.map(({ document }) => markdown(document.text));
    expect(orders.indexOf('path="/orders" method="post"')).toBeLessThan(orders.indexOf('# An order was made'));
    expect(orders).toContain(
      '# An order was made\n\nAt once.\n\n{% openapi-webhook spec="shop" name="made" method="post" headless="true" %}',
    );
    expect(others).toMatch(/^# GET \/orders\n\n\{% openapi-webhook spec="shop" name="\/orders" method="get"/);
    const each = expand(text, { grouping: 'operation' }, ref) ?? [];
    expect(new Set(each.map(({ key }) => key)).size).toBe(each.length);
    expect(each.map(({ computed }) => computed.props)).toContainEqual({ doc: 'webhook', method: 'post', name: 'made' });
    expect(each.map(({ computed }) => computed.props)).toContainEqual({
      doc: 'webhook',
      method: 'get',
      name: '/orders',
    });
  });

  it('lead to the whole of a public specification', async () => {
    const ref = { kind: 'openapi', spec: 'shop' };
    const dependencies = { spec: { ref, text: await outlineOf(spec), isPublic: true } };
    const [first] = expandSource({ type: 'builtin:openapi', props: { downloadLink: true }, dependencies }) ?? [];
    expect(first?.document.text).toContain('"type":"content-ref"');
  });

  it('are one for each operation, below that of its tag', () => {
    const pages = expand(JSON.stringify(spec), { grouping: 'operation' }) ?? [];
    const [orders, list, make] = pages;
    expect(pages.map(({ title, parent }) => [title, parent])).toEqual([
      ['Orders', undefined],
      ['List orders', orders?.key],
      ['POST /orders', orders?.key],
      ['empty', undefined],
      ['default', undefined],
      ['Health', pages[4]?.key],
    ]);
    expect(list?.computed.props).toEqual({ doc: 'operation', method: 'get', path: '/orders' });
    expect(markdown(orders?.document.text ?? '')).toBe('What was **bought**.\n');
    expect(markdown(make?.document.text ?? '')).toMatch(/^The newest first\.\n\n\{% openapi src/);
  });

  it('stand below those of other tags, as far as that makes a tree', () => {
    const tags = [
      { name: 'a', 'x-parent': 'b' },
      { name: 'b', 'x-page-title': 'Bees' },
      { name: 'c', 'x-parent': 'd' },
      { name: 'd', 'x-parent': 'c' },
      { name: 'e', 'x-parent': 'gone' },
      { name: 'f', 'x-parent': 'f' },
      ...Array.from({ length: 7 }, (_, level) => ({
        name: `l${level}`,
        ...(level > 0 && { 'x-parent': `l${level - 1}` }),
      })),
    ];
    const pages = expand(JSON.stringify({ ...spec, paths: {}, tags })) ?? [];
    const names = new Map(pages.map(({ key, title }) => [key, title]));
    const parents = Object.fromEntries(pages.map(({ title, parent = '' }) => [title, names.get(parent)]));
    expect(parents).toMatchObject({ a: 'Bees', c: undefined, d: undefined, e: undefined, f: undefined });
    expect([parents['l1'], parents['l4'], parents['l5']]).toEqual(['l0', 'l3', undefined]);
  });

  it('are several for a tag with more than 100 operations', async () => {
    const large = specificationWith({ operations: 1_200, tags: 8 });
    const text = await outlineOf(large);
    const pages = expand(text, {}, { kind: 'openapi', spec: 'large' }) ?? [];
    expect(pages.slice(0, 3).map(({ title, computed }) => [title, computed.props])).toEqual([
      ['t0', { doc: 'operations', page: 't0' }],
      ['t0 (2)', { doc: 'operations', page: 't0', part: 2 }],
      ['t1', { doc: 'operations', page: 't1' }],
    ]);
    expect(pages).toHaveLength(16);
    expect(expand(text, { grouping: 'operation' }, { kind: 'openapi', spec: 'large' })).toHaveLength(1_208);
  });

  it.each([
    ['no specification', '{"openapi":"2.0"}'],
    ['no object', '[]'],
    ['no YAML', 'a: [b'],
    ['too many aliases', `openapi: 3.0.0\na: &a [x,x]\nb: &b [${'*a,'.repeat(50)}]\nc: [${'*b,'.repeat(50)}]\n`],
    [
      'too many operations',
      `openapi: 3.0.0\npaths:\n${Array.from({ length: 5_001 }, (_, i) => `  /${i}: {get: {}}\n`).join('')}`,
    ],
    [
      'too many tags',
      `{"openapi":"3.0.0","tags":${JSON.stringify(Array.from({ length: 2_001 }, (_, i) => ({ name: `t${i}` })))}}`,
    ],
  ])('are none of a text that is %s', (_, text) => {
    expect(expand(text)).toBeNull();
  });

  it('show texts of any form', () => {
    const odd = {
      ...spec,
      tags: [{ name: '\u0000 a\nb', description: '{% if x %}\n{{ y\n```' }, null, 7],
      paths: { '/a': { get: null }, '/b': 1 },
    };
    expect(expand(JSON.stringify(odd))?.map(({ title }) => title)).toEqual(['a b', 'default']);
  });
});
