import { describe, expect, it } from '@jest/globals';
import { compile } from '@scriptorium/openapi';
import { toMarkdown, type RichDocument } from '@scriptorium/rich-text';
import { stringify } from 'yaml';
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

  it('of a specification of the organization have blocks of its operations', async () => {
    const forms = await compile(JSON.stringify(spec));
    const outline = forms.isReadable ? Buffer.from(forms.outline.bytes).toString() : '';
    const [orders] = expand(outline, { downloadLink: true }, { kind: 'openapi', spec: 'shop' }) ?? [];
    expect(orders?.document.text).toContain('"type":"openapi-operation"');
    expect(markdown(orders?.document.text ?? '')).toContain('spec="shop" path="/orders" method="post"');
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
      `{"openapi":"3.0.0","tags":${JSON.stringify(Array.from({ length: 501 }, (_, i) => ({ name: `t${i}` })))}}`,
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
