import { describe, expect, it } from '@jest/globals';
import { toJsonSchema } from './json-schema.js';
import { parseAdaptiveSchema } from './parse-schema.js';
import { SCHEMA_LIMITS } from './schema.js';

const root = (properties: unknown, more: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
});
const issues = (input: unknown): unknown => {
  const result = parseAdaptiveSchema(input);
  return result.ok ? [] : result.issues.map(({ pointer, message }) => [pointer, message]);
};
const json = (input: unknown): unknown => {
  const result = parseAdaptiveSchema(input);
  return result.ok ? toJsonSchema(result.schema) : result.issues;
};
const names = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'boolean' }]));
const nested = (levels: number): object => (levels === 0 ? {} : { a: root(nested(levels - 1)) });

describe('an adaptive schema', () => {
  it('comes out as it went in, completed', () => {
    const properties = {
      beta: { type: 'boolean', description: 'Joined the beta' },
      plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan', default: 'free' },
      name: { type: 'string', default: 'Ada' },
      seats: { type: 'number', description: 'Seats' },
      groups: { type: 'array', description: 'Groups', items: { type: 'string', enum: ['a', 'b'] } },
      org: { type: 'object', description: 'Organization', properties: { vip: { type: 'boolean' } } },
      unsigned: { type: 'object', properties: { dark: { type: 'boolean' } }, additionalProperties: false },
    };
    expect(
      json({ $schema: 'http://json-schema.org/draft-07/schema#', ...root(properties, { description: 'All' }) }),
    ).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      description: 'All',
      ...root({
        ...properties,
        org: { ...properties.org, additionalProperties: false },
        unsigned: { ...properties.unsigned, description: 'Unsigned claims of the visitor' },
      }),
    });
  });

  it('keeps the description of the unsigned claims, and an unsigned property deeper down as it is', () => {
    const inner = { type: 'object', properties: { unsigned: { type: 'boolean' } }, additionalProperties: false };
    const unsigned = { type: 'object', description: 'Mine', properties: {}, additionalProperties: false };
    expect(json(root({ unsigned, inner }))).toMatchObject(root({ unsigned, inner }));
  });

  it('may be empty', () =>
    expect(json(root({}))).toEqual({ $schema: 'http://json-schema.org/draft-07/schema#', ...root({}) }));
  it('needs no $schema and no additionalProperties', () =>
    expect(issues({ type: 'object', properties: {} })).toEqual([]));
  it('reads a property named like one of Object', () =>
    expect(issues(root({ toString: { type: 'boolean' } }))).toEqual([]));
});

describe('what is wrong is named with its place', () => {
  it.each<[string, unknown, [string, string]]>([
    ['nothing', null, ['', 'must be an object']],
    ['a list', [], ['', 'must be an object']],
    ['an instance', new Map(), ['', 'must be an object']],
    ['another type', { type: 'array', properties: {} }, ['/type', 'must be object']],
    ['no properties', { type: 'object' }, ['/properties', 'must be an object']],
    [
      'another draft',
      root({}, { $schema: 'https://json-schema.org/draft/2020-12/schema' }),
      ['/$schema', 'only draft 07 is accepted'],
    ],
    ['open objects', root({}, { additionalProperties: true }), ['/additionalProperties', 'must be false']],
    ['null for closed', root({}, { additionalProperties: null }), ['/additionalProperties', 'must be false']],
    [
      'open objects below',
      root({ a: root({}, { additionalProperties: {} }) }),
      ['/properties/a/additionalProperties', 'must be false'],
    ],
    ['unknown keywords', root({}, { required: [] }), ['/required', 'this keyword is not accepted here']],
    [
      '$schema below',
      root({ a: root({}, { $schema: 'http://json-schema.org/draft-07/schema#' }) }),
      ['/properties/a/$schema', 'this keyword is not accepted here'],
    ],
    [
      'keywords of other types',
      root({ a: { type: 'boolean', enum: ['x'] } }),
      ['/properties/a/enum', 'this keyword is not accepted here'],
    ],
    [
      'a pattern',
      root({ a: { type: 'string', pattern: 'x' } }),
      ['/properties/a/pattern', 'this keyword is not accepted here'],
    ],
    [
      'items on an object',
      root({ a: root({}, { items: {} }) }),
      ['/properties/a/items', 'this keyword is not accepted here'],
    ],
    [
      'keywords of an item',
      root({ a: { type: 'array', items: { type: 'number', minimum: 1 } } }),
      ['/properties/a/items/minimum', 'this keyword is not accepted here'],
    ],
    [
      'keywords of an array',
      root({ a: { type: 'array', items: { type: 'number' }, minItems: 1 } }),
      ['/properties/a/minItems', 'this keyword is not accepted here'],
    ],
    ['a property that is no object', root({ a: true }), ['/properties/a', 'must be an object']],
    [
      'an unknown type',
      root({ a: { type: 'integer' } }),
      ['/properties/a/type', 'must be boolean, string, number, array or object'],
    ],
    [
      'several types',
      root({ a: { type: ['string', 'null'] } }),
      ['/properties/a/type', 'must be boolean, string, number, array or object'],
    ],
    ['no items', root({ a: { type: 'array' } }), ['/properties/a/items', 'must be of type boolean, string or number']],
    [
      'items of objects',
      root({ a: { type: 'array', items: root({}) } }),
      ['/properties/a/items', 'must be of type boolean, string or number'],
    ],
    [
      'a description that is no text',
      root({ a: { type: 'boolean', description: 1 } }),
      ['/properties/a/description', 'must be text of at most 1024 characters'],
    ],
    [
      'a long description',
      root({}, { description: 'x'.repeat(SCHEMA_LIMITS.descriptionLength + 1) }),
      ['/description', 'must be text of at most 1024 characters'],
    ],
    [
      'an empty enumeration',
      root({ a: { type: 'string', enum: [] } }),
      ['/properties/a/enum', 'must be a list of 1 to 1000 values'],
    ],
    [
      'an enumeration that is no list',
      root({ a: { type: 'string', enum: 'x' } }),
      ['/properties/a/enum', 'must be a list of 1 to 1000 values'],
    ],
    [
      'a long enumeration',
      root({ a: { type: 'string', enum: Array.from({ length: 1001 }, (_, index) => `v${index}`) } }),
      ['/properties/a/enum', 'must be a list of 1 to 1000 values'],
    ],
    [
      'numbers enumerated',
      root({ a: { type: 'string', enum: [1] } }),
      ['/properties/a/enum', 'every value must be text of at most 256 characters'],
    ],
    [
      'long values',
      root({ a: { type: 'string', enum: ['x'.repeat(257)] } }),
      ['/properties/a/enum', 'every value must be text of at most 256 characters'],
    ],
    [
      'values twice',
      root({ a: { type: 'string', enum: ['x', 'x'] } }),
      ['/properties/a/enum', 'every value must occur once'],
    ],
    [
      'a default that is not enumerated',
      root({ a: { type: 'string', enum: ['x'], default: 'y' } }),
      ['/properties/a/default', 'must be text, and one of the values when they are enumerated'],
    ],
    [
      'a default that is no text',
      root({ a: { type: 'string', default: 1 } }),
      ['/properties/a/default', 'must be text, and one of the values when they are enumerated'],
    ],
    [
      'unsigned claims that are no object',
      root({ unsigned: { type: 'boolean' } }),
      ['/properties/unsigned', 'must be of type object'],
    ],
    [
      'a name that is not readable',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"boolean"}}}'),
      ['/properties/__proto__', 'this name cannot be used in conditions'],
    ],
    [
      'constructor',
      root({ constructor: { type: 'boolean' } }),
      ['/properties/constructor', 'this name cannot be used in conditions'],
    ],
    ['an empty name', root({ '': { type: 'boolean' } }), ['/properties/', 'a name has 1 to 128 characters']],
    [
      'a long name',
      root({ ['x'.repeat(129)]: { type: 'boolean' } }),
      [`/properties/${'x'.repeat(129)}`, 'a name has 1 to 128 characters'],
    ],
    ['names with slashes', root({ 'a/b~c': 1 }), ['/properties/a~1b~0c', 'must be an object']],
    ['101 properties', root(names(101)), ['/properties', 'there may be at most 100 properties']],
    [
      '101 properties on two levels',
      root({ ...names(50), o: root(names(50)) }),
      ['/properties/o/properties', 'there may be at most 100 properties'],
    ],
    ['six levels', root(nested(6)), [`${'/properties/a'.repeat(6)}`, 'properties stand at most 5 levels deep']],
    [
      'a __proto__ keyword',
      JSON.parse('{"type":"object","properties":{},"__proto__":{}}'),
      ['/__proto__', 'this keyword is not accepted here'],
    ],
  ])('%s', (_name, input, issue) => expect(issues(input)).toEqual([issue]));

  it('accepts exactly what the limits say', () => {
    expect(issues(root(names(100)))).toEqual([]);
    expect(issues(root({ ...names(49), o: root(names(50)) }))).toEqual([]);
    expect(issues(root(nested(5)))).toEqual([]);
    expect(
      issues(
        root({
          ['x'.repeat(128)]: {
            type: 'string',
            enum: Array.from({ length: 1000 }, (_, index) => String(index).padStart(256, 'v')),
            description: 'd'.repeat(1024),
          },
        }),
      ),
    ).toEqual([]);
  });

  it('names every issue, twenty at most', () => {
    expect(issues(root({ a: 1, b: { type: 'x' } }, { additionalProperties: true }))).toHaveLength(3);
    expect(issues(root(Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`p${index}`, 1]))))).toHaveLength(
      SCHEMA_LIMITS.issues,
    );
  });

  it('does not follow a document that is deep', () => {
    const deep = Array.from({ length: 20_000 }).reduce<object>((inner) => root({ a: inner }), root({}));
    expect(issues(deep)).toEqual([['/properties/a'.repeat(6), 'properties stand at most 5 levels deep']]);
  });
});
