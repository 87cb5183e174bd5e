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
/** A specification as large as those of large products: each operation reaches two schemas. */
export const specificationWith = ({
  operations,
  tags,
  words = 40,
}: {
  operations: number;
  tags: number;
  words?: number;
}) => {
  const text = 'Whoever may see the order sees it. '.repeat(Math.ceil(words / 7));
  const ref = (place: number) => ({ $ref: `#/components/schemas/S${place % 300}` });
  const content = (place: number) => ({ 'application/json': { schema: ref(place) } });
  return {
    openapi: '3.0.3',
    info: { title: 'Large', version: '1' },
    paths: Object.fromEntries(
      Array.from({ length: operations }, (_, place) => [
        `/things/${place}`,
        {
          get: {
            tags: [`t${place % tags}`],
            summary: `Operation ${place}`,
            description: text,
            parameters: [{ name: `q${place}`, in: 'query', description: text, schema: { type: 'string' } }],
            responses: { 200: { description: 'All', content: content(place) } },
          },
        },
      ]),
    ),
    components: {
      schemas: Object.fromEntries(
        Array.from({ length: 300 }, (_, place) => [
          `S${place}`,
          {
            type: 'object',
            description: text,
            properties: { [`field${place}`]: { type: 'string', description: text }, next: ref(place + 1) },
          },
        ]),
      ),
    },
  };
};
