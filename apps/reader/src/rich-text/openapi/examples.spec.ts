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
});
