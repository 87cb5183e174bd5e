import { describe, expect, it } from '@jest/globals';
import { parameters, SEED } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { compileCondition } from '../compiler.js';
import { ExpressionError } from '../error.js';
import { sources } from '../test/arbitraries.js';
import { type Value } from '../value.js';
import { contextKey, enumerateContexts } from './contexts.js';
import { filterClaims } from './filter-claims.js';
import { toJsonSchema } from './json-schema.js';
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
  seats: { type: 'number' },
  groups: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
  words: { type: 'array', items: { type: 'string' } },
  org: { type: 'object', properties: { vip: { type: 'boolean' }, size: { type: 'number' } } },
});

describe('contexts', () => {
  it('are all combinations of deterministic claims, for people and programs', () => {
    const contexts = enumerateContexts(schema) ?? [];
    // beta 3, plan 3, groups 1 + 4, org 1 + 3; the dynamic claims add nothing.
    expect(contexts).toHaveLength(2 * 3 * 3 * 5 * 4);
    expect(new Set(contexts.map(({ key }) => key)).size).toBe(contexts.length);
    expect(contexts).toContainEqual({
      type: 'agent',
      claims: { unsigned: {}, beta: false, plan: 'pro', groups: ['a', 'b'], org: { vip: true } },
      key: '["agent",{"unsigned":{},"beta":false,"plan":"pro","groups":["a","b"],"org":{"vip":true}}]',
    });
  });

  it('are not enumerated beyond the bound', () => {
    expect(enumerateContexts(schema, 359)).toBeUndefined();
    expect(enumerateContexts(schema, 360)).toHaveLength(360);
    const huge = schemaOf({
      a: { type: 'array', items: { type: 'string', enum: Array.from({ length: 1000 }, (_, index) => `v${index}`) } },
    });
    expect(enumerateContexts(huge, Number.MAX_VALUE)).toBeUndefined();
    const wide = schemaOf(
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, { type: 'boolean' }])),
    );
    expect(enumerateContexts(wide)).toBeUndefined();
  });

  it('count the unsigned claims once, present or not', () => {
    expect(
      enumerateContexts(schemaOf({ unsigned: { type: 'object', properties: { dark: { type: 'boolean' } } } })),
    ).toHaveLength(6);
    expect(enumerateContexts(schemaOf({}))).toHaveLength(2);
  });

  it('have keys that show no dynamic claim and tell visitor types apart', () => {
    const claims = { beta: true, seats: 3, words: ['x'], org: { size: 1 }, other: 1 };
    expect(contextKey(schema, { type: 'human', claims })).toBe('["human",{"unsigned":{},"beta":true,"org":{}}]');
    expect(contextKey(schema, { claims: undefined })).toBe('[null,{"unsigned":{}}]');
  });
});

const leaf = fc.oneof(
  fc.constantFrom(
    { type: 'boolean' },
    { type: 'number' },
    { type: 'string' },
    { type: 'string', enum: ['pro', 'free'] },
  ),
  fc.constantFrom(
    { type: 'array', items: { type: 'string', enum: ['pro', 'a'] } },
    { type: 'array', items: { type: 'boolean' } },
  ),
);
const names = fc.constantFrom('plan', 'beta', 'groups', 'org', 'a', 'x y');
const object = fc.dictionary(names, leaf, { maxKeys: 3 }).map((properties) => ({ type: 'object', properties }));
const properties = fc
  .dictionary(fc.oneof(names, fc.constant('unsigned')), object, { maxKeys: 1 })
  .chain((objects) => fc.dictionary(names, leaf, { maxKeys: 4 }).map((leaves) => ({ ...leaves, ...objects })));
const claim = fc.constantFrom<Value>(
  true,
  false,
  0,
  1,
  'pro',
  'free',
  'x',
  ['pro'],
  ['a', 'pro', 'a'],
  ['x'],
  [true],
  null,
);
const claims = fc.dictionary(
  fc.oneof(names, fc.constant('unsigned')),
  fc.oneof(claim, fc.dictionary(names, claim, { maxKeys: 3 })),
);

describe(`every schema (seed ${SEED})`, () => {
  it('has a context for every visitor, and no deterministic condition tells two visitors of one context apart', () => {
    let decided = 0;
    const condition = fc.tuple(sources, sources).map(([left, right]) => `(${left}) == (${right})`);
    fc.assert(
      fc.property(properties, claims, condition, fc.constantFrom('human', 'agent'), (input, given, source, type) => {
        const parsed = schemaOf(input);
        const contexts = enumerateContexts(parsed, 100_000) ?? [];
        const key = contextKey(parsed, { type, claims: given });
        const context = contexts.find((candidate) => candidate.key === key);
        expect(context).toBeDefined();
        try {
          const compiled = compileCondition(source, { schema: parsed });
          const vars = { space: { vars: {} }, page: { vars: { plan: 'pro' } } };
          const visitor = { type, claims: filterClaims(parsed, given) };
          expect(compiled.test({ visitor: { type, claims: context?.claims }, ...vars })).toBe(
            compiled.test({ visitor, ...vars }),
          );
          decided++;
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
        }
      }),
      parameters(800),
    );
    expect(decided).toBeGreaterThan(20);
  });

  it('comes back equal from its JSON, and filters filtered claims to themselves', () => {
    fc.assert(
      fc.property(properties, claims, (input, given) => {
        const parsed = schemaOf(input);
        expect(parseAdaptiveSchema(JSON.parse(JSON.stringify(toJsonSchema(parsed))))).toMatchObject({ ok: true });
        expect(toJsonSchema(schemaOf(toJsonSchema(parsed).properties))).toEqual(toJsonSchema(parsed));
        const once = filterClaims(parsed, given);
        expect(filterClaims(parsed, once)).toEqual(once);
        const preview = previewClaims(parsed);
        expect(filterClaims(parsed, preview)).toEqual({ unsigned: {}, ...preview });
      }),
      parameters(800),
    );
  });

  it('generates conditions that can be stored', () => {
    fc.assert(
      fc.property(properties, (input) => {
        const parsed = schemaOf(input);
        for (const { condition } of templateConditions(parsed))
          expect(compileCondition(condition, { schema: parsed }).deterministic).toBe(true);
      }),
      parameters(800),
    );
  });
});
