import { describe, expect, it } from '@jest/globals';
import { cards, operationBlock, packOf } from '../../test/api-blocks.js';

async function card(operation: object, schemas: object = {}): Promise<string> {
  const paths = { '/a': { post: { responses: {}, ...operation } } };
  const pack = await packOf({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths, components: { schemas } });
  return cards(operationBlock(pack, 'post', '/a'));
}

/** What a page says, without its markup. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&#x3C;', '<')
    .replaceAll('&gt;', '>');

describe('examples of a body', () => {
  it('are XML where the body is', async () => {
    const Order = { type: 'object', properties: { name: { type: 'string', example: 'jam' } } };
    const schema = { $ref: '#/components/schemas/Order' };
    const html = await card({ requestBody: { content: { 'application/xml': { schema } } } }, { Order });
    const text = textOf(html);
    expect(text.match(/<Order>\s*<name>jam<\/name>\s*<\/Order>/g)).toHaveLength(3);
    expect(text).not.toContain('"name": "jam"');
  });

  it('that stand elsewhere are links where their address is whole', async () => {
    const examples = {
      large: { summary: 'A large one', externalValue: 'https://files.example/large.json' },
      near: { externalValue: './near.json' },
      odd: { externalValue: 'javascript:alert(1)' },
      here: { value: 1, externalValue: 'https://files.example/here.json' },
    };
    const content = { 'application/json': { examples } };
    const html = await card({ requestBody: { content }, responses: { 200: { description: 'x', content } } });
    expect(html.match(/<a href="https:\/\/files\.example\/large\.json"[^>]*>A large one<\/a>/g)).toHaveLength(2);
    expect(html).toContain('near: <code>./near.json</code>');
    expect(html).not.toContain('href="javascript');
    expect(html).not.toContain('here.json');
  });
});

describe('the callbacks of an operation', () => {
  it('are a list with method and address', async () => {
    const paid = { '{$request.body#/url}': { post: { summary: 'It was paid', responses: {} }, parameters: [] } };
    const html = await card({ callbacks: { paid } });
    expect(html).toMatch(/>Callbacks<\/h\d>/);
    expect(html).toMatch(
      /<strong>paid<\/strong>: <strong class="method">POST<\/strong> <code>\{\$request\.body#\/url\}<\/code>.*It was paid/,
    );
    expect(await card({})).not.toContain('Callbacks');
  });
});
