import { describe, expect, it } from '@jest/globals';
import { markdownOfBlocks } from './markdown-of-blocks.js';

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } };
const order = {
  description: 'An order.',
  required: ['name'],
  properties: { name: { type: 'string', example: 'jam', description: 'Of | what.' } },
};
const operation = {
  method: 'post',
  path: '/orders',
  operation: { summary: 'Make', description: 'Makes it.', requestBody: { content }, responses: {} },
};
const resolved = (more: object) => ({ spec: 'shop', version: '1', schemas: {}, ...more });

describe('the markdown of blocks', () => {
  it('has the schemas of all blocks of a specification, each of which comes once', () => {
    const [first, second, schemas] = markdownOfBlocks([
      { type: 'openapi-operation', data: { resolved: resolved({ operation }) } },
      {
        type: 'openapi-operation',
        data: { headless: true, resolved: resolved({ operation, schemas: { Order: order } }) },
      },
      { type: 'openapi-schemas', data: { schemas: ['Order', 'Gone'], resolved: resolved({}) } },
    ]);
    expect(first).toMatch(/^## Make\n\n`POST \/orders`\n\nMakes it\.\n\n### Body\n\n[^#]*"name": "jam"/);
    expect(second).toMatch(/^`POST \/orders`\n\n## Body\n/);
    expect(schemas).toBe(
      '### Order\n\nAn order.\n\n| Name | Type | Description |\n| --- | --- | --- |\n| `name` | string, required | Of \\| what. |\n',
    );
  });

  it('is none of what shows nothing', () => {
    const blocks = [
      { type: 'openapi-operation', data: {} },
      { type: 'openapi-operation', data: { resolved: null } },
      { type: 'openapi-operation', data: { resolved: resolved({ truncated: true }) } },
      { type: 'openapi-schemas', data: { schemas: ['Gone'], resolved: resolved({}) } },
    ];
    expect(markdownOfBlocks(blocks)).toEqual([null, null, null, null]);
  });

  it('has callbacks, and links to examples that stand elsewhere', () => {
    const callbacks = { paid: { '{$request.body#/url}': { post: { summary: 'It was *paid*' } } } };
    const examples = {
      large: { externalValue: 'https://files.example/a b).json' },
      near: { externalValue: './near.json' },
    };
    const own = { callbacks, requestBody: { content: { 'application/json': { examples } } } };
    const given = { method: 'post', path: '/orders', operation: own };
    const [text] = markdownOfBlocks([
      { type: 'openapi-operation', data: { resolved: resolved({ operation: given }) } },
    ]);
    expect(text).toContain('Examples elsewhere: [large](<https://files.example/a%20b).json>), near: `./near.json`');
    expect(text).toContain('### Callbacks\n\n- paid, `POST {$request.body#/url}`: It was \\*paid\\*');
  });
});
