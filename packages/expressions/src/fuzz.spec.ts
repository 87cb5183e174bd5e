import { describe, expect, it } from '@jest/globals';
import { parameters, runs, SEED } from '@scriptorium/toolchain/generated';
import fc from 'fast-check';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { contextKey, enumerateContexts } from './adaptive/contexts.js';
import { filterClaims } from './adaptive/filter-claims.js';
import { toJsonSchema } from './adaptive/json-schema.js';
import { parseAdaptiveSchema } from './adaptive/parse-schema.js';
import { previewClaims } from './adaptive/preview-claims.js';
import { SCHEMA_LIMITS } from './adaptive/schema.js';
import { templateConditions } from './adaptive/template-conditions.js';
import { compileExpression } from './compile.js';
import { compileCondition, createCompiler } from './compiler.js';
import { ExpressionError } from './error.js';
import { LIMITS } from './limits.js';
import { hostileJson, scopes, sources } from './test/arbitraries.js';

const RUNS = 4_000;
/** Processor time no single input may take; far above what any takes, because the collector's threads count too. */
const SLOWEST_MS = 1_000;
/** What may still be held after all inputs of a test. */
const HEAP_BYTES = 64 * 1024 * 1024;

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

const heldBytes = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

/** Bits of source that break rules, to be put anywhere. */
const fragments = fc.oneof(
  fc.constantFrom(
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '`',
    '${',
    '"',
    "'",
    '\\',
    '\\u',
    '/',
    '/*',
    '//',
    '<!--',
    '=>',
    '?.',
    '...',
    '=',
    '++',
    ';',
    ',',
    '\n',
    '\u2028',
    '\0',
    '\ud800',
    '\udc00',
    '#',
    '@',
  ),
  fc.constantFrom(
    'constructor',
    '__proto__',
    'prototype',
    'this',
    'new ',
    'await ',
    'async ',
    'yield',
    'import(',
    'super',
    'function',
    'class ',
    'delete ',
    'void ',
    'let ',
    'undefined',
    'globalThis',
    '1n',
    '1e999',
    '0x',
    '.constructor',
    '["constructor"]',
    '.map(x => x)',
    '.map(a => a + a)',
    '.join()',
    '??=',
    '**',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);

type Mutation = readonly [kind: 'insert' | 'delete' | 'repeat' | 'swap', at: number, size: number, text: string];

const mutate = (source: string, [kind, at, size, text]: Mutation): string => {
  const start = Math.floor(at * source.length);
  const [before, piece, after] = [
    source.slice(0, start),
    source.slice(start, start + size),
    source.slice(start + size),
  ];
  if (kind === 'insert') return before + text + piece + after;
  if (kind === 'delete') return before + after;
  if (kind === 'repeat')
    return (before + piece.repeat(1 + Math.floor(400 / (piece.length + 1))) + after).slice(0, 2 * LIMITS.sourceLength);
  return piece + before + after;
};

const mutations = fc.array(
  fc.tuple(
    fc.constantFrom('insert', 'delete', 'repeat', 'swap'),
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.integer({ min: 0, max: 30 }),
    fragments,
  ),
  { maxLength: 5 },
);
const mutated = fc.tuple(sources, mutations).map(([source, changes]) => changes.reduce<string>(mutate, source));
const hostileSources = fc.oneof(
  { weight: 6, arbitrary: mutated },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 1100 }) },
  { weight: 1, arbitrary: fc.array(fragments, { maxLength: 60 }).map((parts) => parts.join('')) },
);

/** Runs a property on inputs and watches the processor time of each of them and the heap over all. */
const watched = <T>(inputs: fc.Arbitrary<T>, check: (input: T) => void): void => {
  let slowest = 0;
  const held = heldBytes();
  fc.assert(
    fc.property(inputs, (input) => {
      const start = process.cpuUsage();
      check(input);
      const { user, system } = process.cpuUsage(start);
      slowest = Math.max(slowest, (user + system) / 1000);
    }),
    parameters(RUNS),
  );
  expect(slowest).toBeLessThan(SLOWEST_MS);
  expect(heldBytes() - held).toBeLessThan(HEAP_BYTES);
};

/** What a refusal must be: of the one error type, with a position inside the source. */
const checkRefusal = (error: unknown, source: string): void => {
  if (!(error instanceof ExpressionError)) throw error;
  expect(error.start).toBeGreaterThanOrEqual(0);
  expect(error.end).toBeGreaterThanOrEqual(error.start);
  expect(error.end).toBeLessThanOrEqual(source.length);
};

describe(`hostile input (seed ${SEED}, ${runs(RUNS)} inputs per entry point)`, () => {
  it('compile and evaluate answer, or refuse with a position', () => {
    watched(fc.tuple(hostileSources, scopes), ([source, scope]) => {
      try {
        const expression = compileExpression(source);
        const outcome = expression.run(scope);
        if (!outcome.ok) expect(outcome.fault.message).not.toBe('The scope could not be read');
        expect(typeof expression.test(scope)).toBe('boolean');
      } catch (error) {
        checkRefusal(error, source);
      }
    });
  });

  it('a compiler answers with a bounded cache', () => {
    const compiler = createCompiler({ cacheSize: 100 });
    watched(fc.tuple(hostileSources, scopes), ([source, scope]) => {
      expect(typeof compiler.test(scope, source, source)).toBe('boolean');
      compiler.evaluate(source, scope);
    });
  });

  it('values come from the scope and the source alone', () => {
    const visitor = { claims: { secret: 'x' }, type: 'human' };
    watched(hostileSources, (source) => {
      try {
        const outcome = compileExpression(source).run({ visitor });
        if (outcome.ok) expect(['function', 'symbol', 'bigint']).not.toContain(typeof outcome.value);
      } catch (error) {
        checkRefusal(error, source);
      }
      expect(visitor).toEqual({ claims: { secret: 'x' }, type: 'human' });
    });
  });

  it('an adaptive schema is accepted or refused with places', () => {
    watched(hostileJson, (input) => {
      const result = parseAdaptiveSchema(input);
      if (!result.ok) {
        expect(result.issues.length).toBeGreaterThan(0);
        expect(result.issues.length).toBeLessThanOrEqual(SCHEMA_LIMITS.issues);
        return;
      }
      expect(parseAdaptiveSchema(toJsonSchema(result.schema))).toMatchObject({ ok: true });
      previewClaims(result.schema);
      for (const { condition } of templateConditions(result.schema))
        compileCondition(condition, { schema: result.schema });
      enumerateContexts(result.schema, 100);
    });
  });

  it('claims are filtered, whatever they are', () => {
    const parsed = parseAdaptiveSchema({
      type: 'object',
      properties: {
        plan: { type: 'string' },
        items: { type: 'array', items: { type: 'number' } },
        unsigned: { type: 'object', properties: { type: { type: 'boolean' } } },
      },
    });
    if (!parsed.ok) throw new Error('The schema of the test is not valid');
    watched(fc.oneof(hostileJson, fc.anything()), (claims) => {
      const filtered = filterClaims(parsed.schema, claims);
      expect(['items', 'plan', 'unsigned']).toEqual(expect.arrayContaining(Object.keys(filtered)));
      expect(contextKey(parsed.schema, { claims })).toBe(contextKey(parsed.schema, { claims: filtered }));
    });
  });
});
