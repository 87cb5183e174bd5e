import { numbersTo } from '../product/seed.js';

const allTags = 47;
const operationsOfTag = 26;
const allSchemas = 969;
const propertiesOfSchema = 14;
/** Schemas that refer to each other, in circles, and to no others. */
const schemasOfCircle = 3;
const itemsOfExample = 4;
const words = 'Readers look for one thing at a time, and leave when they have found it. ';

/** How many operations the first tag has, which is a page of its own. */
export const operationsOfLargestTag = 100;

/** The path of an operation of a specification that is generated. */
export function pathOf(tag: number, operation: number): string {
  return `/area-${tag}/{owner}/things-${operation}/{id}`;
}

/**
 * An OpenAPI 3.0 document of about 14 MB as JSON, as large as those of the largest public APIs. The same in every run.
 * `share`: how much of it there is, above 0, at most 1.
 */
export function largeSpecification(title: string, share = 1): object {
  const [tags, schemas] = [Math.ceil(allTags * share), Math.ceil(allSchemas * share)];
  const operations = numbersTo(tags).flatMap((tag) =>
    numbersTo(tag === 0 ? operationsOfLargestTag : operationsOfTag).map(
      (operation) => [pathOf(tag, operation), { get: operationOf(tag, operation, schemas) }] as const,
    ),
  );
  return {
    openapi: '3.0.3',
    info: { title, version: '1.0.0' },
    servers: [{ url: 'https://api.example.org' }],
    tags: numbersTo(tags).map((tag) => ({ name: `area-${tag}`, description: words })),
    paths: Object.fromEntries(operations),
    components: { schemas: Object.fromEntries(numbersTo(schemas).map((number) => [`Thing${number}`, schema(number)])) },
  };
}

function operationOf(tag: number, operation: number, schemas: number): object {
  const number = tag * operationsOfTag + operation;
  const text = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' }, description: words });
  const content = (of: object) => ({ 'application/json': { schema: of } });
  const thing = { $ref: `#/components/schemas/Thing${number % schemas}` };
  return {
    tags: [`area-${tag}`],
    operationId: `getThing${number}`,
    summary: `Get thing ${number}`,
    description: `${words.repeat(6)}This gives thing ${number}.`,
    parameters: [
      text('owner'),
      text('id'),
      ...numbersTo(6).map((place) => ({
        name: `filter_${place}`,
        in: 'query',
        description: words,
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 30 },
      })),
    ],
    responses: {
      200: {
        description: 'It is there.',
        content: { 'application/json': { schema: { type: 'array', items: thing }, example: example(number) } },
      },
      404: { description: 'It is not there.', content: content({ $ref: '#/components/schemas/Thing1' }) },
    },
  };
}

function example(number: number): object[] {
  return numbersTo(itemsOfExample).map((item) =>
    Object.fromEntries(
      numbersTo(propertiesOfSchema).map((place) => [`property_${place}`, `${words}${number} ${item}`]),
    ),
  );
}

/** Each refers to two others, the way large APIs do: in circles, too. */
function schema(number: number): object {
  const properties = numbersTo(propertiesOfSchema).map((place): [string, object] => [
    `property_${place}`,
    { type: 'string', description: words.repeat(3), example: `value ${number} ${place}` },
  ]);
  const first = number - (number % schemasOfCircle);
  const other = (step: number) => ({
    $ref: `#/components/schemas/Thing${first + ((number + step) % schemasOfCircle)}`,
  });
  return {
    type: 'object',
    description: words,
    required: ['property_0'],
    properties: { ...Object.fromEntries(properties), parent: other(1), next: other(2) },
  };
}
