/** A specification with one operation and one model. */
export const shop = (summary: string): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Shop', version: '1' },
    tags: [{ name: 'Orders', description: 'See [the guide](https://example.com/guide).' }],
    paths: { '/orders': { get: { tags: ['Orders'], summary, description: 'Only the marmalade ones.' } } },
    components: { schemas: { Order: { properties: { id: { type: 'string' } } } } },
  });
/** A file that has a specification. */
export const specFile = (text: string, more: object = {}) => ({
  name: 'shop.json',
  contentType: 'application/json',
  base64: Buffer.from(text).toString('base64'),
  ...more,
});
/** The source of a computed page that depends on a file. */
export const computedOf = (named: string, props: object = { models: true }) => ({
  type: 'builtin:openapi',
  props,
  dependencies: { spec: { ref: { kind: 'file', file: named } } },
});
