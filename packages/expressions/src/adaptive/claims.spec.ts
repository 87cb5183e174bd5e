import { describe, expect, it } from '@jest/globals';
import { filterClaims, joinClaims } from './filter-claims.js';
import { parseAdaptiveSchema } from './parse-schema.js';
import { previewClaims } from './preview-claims.js';
import { type AdaptiveSchema } from './schema.js';
import { templateConditions } from './template-conditions.js';

const schemaOf = (properties: object): AdaptiveSchema => {
  const result = parseAdaptiveSchema({ type: 'object', properties });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.schema;
};
const schema = schemaOf({
  beta: { type: 'boolean' },
  plan: { type: 'string', enum: ['free', 'pro'] },
  name: { type: 'string' },
  seats: { type: 'number' },
  groups: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] } },
  words: { type: 'array', items: { type: 'string' } },
  numbers: { type: 'array', items: { type: 'number' } },
  org: { type: 'object', properties: { vip: { type: 'boolean' }, toString: { type: 'boolean' } } },
  unsigned: { type: 'object', properties: { dark: { type: 'boolean' } } },
});
const filtered = (claims: unknown) => filterClaims(schema, claims);

describe('claims', () => {
  it('pass when they are declared with their type', () => {
    const claims = {
      beta: false,
      plan: 'pro',
      name: '',
      seats: 1.5,
      groups: ['a'],
      words: ['y', 'x', 'y'],
      numbers: [2, 1],
      org: { vip: true, toString: false },
      unsigned: { dark: true },
    };
    expect(filtered(claims)).toEqual(claims);
  });

  it.each<[string, object]>([
    ['undeclared', { other: 1 }],
    ['of another type', { beta: 'true', plan: 1, name: true, seats: '1', groups: 'a', words: {}, numbers: 1, org: [] }],
    ['null', { beta: null, plan: null, org: null, groups: null, unsigned: null }],
    ['not enumerated', { plan: 'team', groups: ['a', 'z'] }],
    ['no number', { seats: Number.NaN, numbers: [Number.POSITIVE_INFINITY] }],
    ['mixed', { words: ['x', 1], numbers: [1, '2'] }],
    ['too many', { words: Array.from({ length: 1001 }, () => 'x') }],
    ['instances', { org: new Map(), seats: new Number(1) }],
  ])('are dropped when they are %s', (_name, claims) => expect(filtered(claims)).toEqual({ unsigned: {} }));

  it('lose what is not declared inside an object', () => {
    expect(filtered({ org: { vip: 1, other: true }, unsigned: { dark: true, beta: true } })).toEqual({
      org: {},
      unsigned: { dark: true },
    });
  });

  it('are sets where the schema enumerates them', () => {
    expect(filtered({ groups: ['c', 'a', 'c'] })).toEqual({ groups: ['a', 'c'], unsigned: {} });
  });

  it('are read as own properties only', () => {
    expect(filtered(JSON.parse('{"__proto__":{"beta":true}}'))).toEqual({ unsigned: {} });
    expect(filtered(Object.create({ beta: true }))).toEqual({ unsigned: {} });
  });

  it.each([undefined, null, 'x', 1, [], true])('are none when they are %j', (claims) =>
    expect(filtered(claims)).toEqual({ unsigned: {} }),
  );

  it('of both origins do not reach into one another', () => {
    expect(joinClaims({ beta: true, unsigned: { dark: false } }, { dark: true })).toEqual({
      beta: true,
      unsigned: { dark: true },
    });
    expect(filterClaims(schema, joinClaims({}, { beta: true }))).toEqual({ unsigned: {} });
  });
});

describe('template conditions', () => {
  it('are two for a boolean and one for each known value, in the order of the schema', () => {
    expect(
      templateConditions(
        schemaOf({
          beta: { type: 'boolean', description: 'In beta' },
          plan: { type: 'string', enum: ['free', 'pro "x"'], description: 'Plan' },
          name: { type: 'string', description: 'Name' },
          seats: { type: 'number' },
          groups: { type: 'array', items: { type: 'string', enum: ['a'] }, description: 'Groups' },
          words: { type: 'array', items: { type: 'string' } },
          flags: { type: 'array', items: { type: 'boolean' } },
          org: {
            type: 'object',
            properties: {
              vip: { type: 'boolean' },
              'the tier': { type: 'string', enum: ['gold'] },
              deep: { type: 'object', properties: { x: { type: 'boolean', description: 'X' } } },
            },
          },
          'odd-name': { type: 'boolean', description: 'Odd' },
          unsigned: { type: 'object', properties: { dark: { type: 'boolean', description: 'Dark' } } },
        }),
      ),
    ).toEqual([
      { description: 'In beta', condition: 'visitor.claims.beta == true' },
      { description: 'Not: In beta', condition: '!visitor.claims.beta' },
      { description: 'Plan is free', condition: 'visitor.claims.plan == "free"' },
      { description: 'Plan is pro "x"', condition: 'visitor.claims.plan == "pro \\"x\\""' },
      { description: 'Groups includes a', condition: 'visitor.claims.groups.includes("a")' },
      { description: 'org.vip', condition: 'visitor.claims.org?.vip == true' },
      { description: 'Not: org.vip', condition: '!visitor.claims.org?.vip' },
      { description: 'org.the tier is gold', condition: 'visitor.claims.org?.["the tier"] == "gold"' },
      { description: 'X', condition: 'visitor.claims.org?.deep?.x == true' },
      { description: 'Not: X', condition: '!visitor.claims.org?.deep?.x' },
      { description: 'Odd', condition: 'visitor.claims["odd-name"] == true' },
      { description: 'Not: Odd', condition: '!visitor.claims["odd-name"]' },
      { description: 'Dark', condition: 'visitor.claims.unsigned?.dark == true' },
      { description: 'Not: Dark', condition: '!visitor.claims.unsigned?.dark' },
    ]);
  });

  it('are at most 200, and none that would be too long', () => {
    const values = Array.from({ length: 300 }, (_, index) => `v${index}`);
    expect(templateConditions(schemaOf({ plan: { type: 'string', enum: values } }))).toHaveLength(200);
    const name = '\u0001'.repeat(128);
    expect(
      templateConditions(schemaOf({ [name]: { type: 'string', enum: ['\u0001'.repeat(256), 'a'] } })),
    ).toHaveLength(1);
  });
});

describe('a preview', () => {
  it('has a value for every claim', () => {
    expect(
      previewClaims(
        schemaOf({
          beta: { type: 'boolean' },
          seats: { type: 'number' },
          plan: { type: 'string', enum: ['free', 'pro'], default: 'pro' },
          name: { type: 'string', default: 'Ada' },
          word: { type: 'string' },
          groups: { type: 'array', items: { type: 'string', enum: ['a'] } },
          org: { type: 'object', properties: { vip: { type: 'boolean' } } },
        }),
      ),
    ).toEqual({ beta: true, seats: 1234, plan: 'free', name: 'Ada', word: 'default', groups: [], org: { vip: true } });
  });
});
