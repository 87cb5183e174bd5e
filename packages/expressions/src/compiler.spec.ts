import { describe, expect, it } from '@jest/globals';
import { parseAdaptiveSchema } from './adaptive/parse-schema.js';
import { type AdaptiveSchema } from './adaptive/schema.js';
import { MERGE_RULE_VARIABLES } from './compile.js';
import { compile, compileCondition, createCompiler } from './compiler.js';
import { ExpressionError } from './error.js';

const schemaOf = (properties: object): AdaptiveSchema => {
  const result = parseAdaptiveSchema({ type: 'object', properties, additionalProperties: false });
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  return result.schema;
};
const schema = schemaOf({
  beta: { type: 'boolean' },
  plan: { type: 'string', enum: ['free', 'pro'] },
  name: { type: 'string' },
  seats: { type: 'number' },
  groups: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
  words: { type: 'array', items: { type: 'string' } },
  flags: { type: 'array', items: { type: 'boolean' } },
  org: { type: 'object', properties: { vip: { type: 'boolean' } } },
  mixed: { type: 'object', properties: { vip: { type: 'boolean' }, size: { type: 'number' } } },
  unsigned: { type: 'object', properties: { dark: { type: 'boolean' }, nick: { type: 'string' } } },
});
const problem = (source: string, options = {}): unknown => {
  try {
    compileCondition(source, options);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return [error.code, source.slice(error.start, error.end)];
    throw error;
  }
};

describe('compile', () => {
  it('returns the same expression for the same source, schema and variables', () => {
    expect(compile('visitor.type')).toBe(compile('visitor.type'));
    expect(compile('visitor.type', { schema })).toBe(compile('visitor.type', { schema }));
    expect(compile('visitor.type', { schema })).not.toBe(compile('visitor.type'));
    expect(compile('space.a', { variables: MERGE_RULE_VARIABLES })).not.toBe(compile('space.a'));
    expect(compile('reviews', { variables: MERGE_RULE_VARIABLES }).evaluate({ reviews: 1 })).toBe(1);
  });

  it('throws the error of a broken source each time anew', () => {
    const errors = [0, 1].map(() => {
      try {
        return compile('visitor..type');
      } catch (error) {
        return error;
      }
    });
    expect(errors[0]).toBeInstanceOf(ExpressionError);
    expect(errors[1]).toEqual(errors[0]);
    expect(errors[1]).not.toBe(errors[0]);
  });

  it('gives an expression that nobody can change', () => {
    expect(Object.isFrozen(compile('visitor.type'))).toBe(true);
  });
});

describe('a compiler', () => {
  it('keeps as many sources as it is told, the latest used', () => {
    const compiler = createCompiler({ cacheSize: 2 });
    const [first, second] = [compiler.compile('1'), compiler.compile('2')];
    expect(compiler.compile('1')).toBe(first);
    compiler.compile('3');
    expect(compiler.compile('1')).toBe(first);
    expect(compiler.compile('2')).not.toBe(second);
  });

  it('passes conditions only together; none, null and empty pass', () => {
    const { test } = createCompiler();
    const scope = { visitor: { type: 'human', claims: { beta: true } } };
    expect(test(scope)).toBe(true);
    expect(test(scope, null, undefined, '')).toBe(true);
    expect(test(scope, 'visitor.claims.beta', null, 'visitor.type == "human"')).toBe(true);
    expect(test(scope, 'visitor.claims.beta', 'visitor.type == "agent"')).toBe(false);
    expect(test(scope, 'visitor.claims.beta', 'broken(')).toBe(false);
    expect(test(scope, ' ')).toBe(false);
  });

  it('evaluates a stored source, false when it is broken', () => {
    const { evaluate } = createCompiler();
    expect(evaluate('1 + 1', {})).toBe(2);
    expect(evaluate('1 +', {})).toBe(false);
    expect(evaluate('', {})).toBe(true);
    expect(evaluate('"'.padEnd(2_000, 'a'), {})).toBe(false);
  });

  it('refuses what is no text as it refuses a broken source', () => {
    const { compile: compileOne, evaluate, test } = createCompiler();
    const sources = [null, undefined, 5, {}, Object.create(null), { toString: 1, valueOf: 1 }, Symbol('x')] as string[];
    for (const source of sources) {
      expect(() => compileOne(source)).toThrow(ExpressionError);
      expect(evaluate(source, {})).toBe(false);
    }
    // There is no condition in the first two.
    expect(sources.map((source) => test({}, source))).toEqual([true, true, false, false, false, false, false]);
  });

  it('is false with a claim that is no longer declared, even when its absence would pass', () => {
    const { test, evaluate } = createCompiler({ schema });
    const scope = { visitor: { claims: { beta: true } } };
    expect(test(scope, '!visitor.claims.removed')).toBe(false);
    expect(test(scope, 'visitor.claims.beta || visitor.claims.removed')).toBe(false);
    expect(evaluate('visitor.claims.removed', scope)).toBeUndefined();
    expect(createCompiler().test(scope, '!visitor.claims.removed')).toBe(true);
  });
});

describe('a condition about to be stored', () => {
  it.each([
    '',
    'visitor.claims.beta',
    '!visitor.claims.beta',
    'visitor.claims.plan == "pro"',
    'visitor.claims.plan',
    '"pro" == visitor.claims["plan"]',
    'visitor.claims.groups.includes("a")',
    'visitor.claims.groups.length > 1',
    'visitor.claims.groups[0] == "a"',
    'visitor.claims.groups.some(g => g == "b")',
    'visitor.claims.org?.vip',
    'visitor.claims.org != null',
    'visitor.claims.mixed?.vip',
    'visitor.claims.unsigned.dark',
    'visitor.type == "agent"',
    'space.vars.a == page.vars.b',
    'space.vars[page.vars.a]',
    'visitor.claims.plan.length',
    'true',
    'visitor.claims.beta || "x"',
    'visitor.claims.beta ? true : 1',
    'visitor.claims.org?.["vip"]',
  ])('may be %j', (source) => {
    expect(problem(source, { schema })).toBeUndefined();
    expect(compile(source, { schema }).deterministic).toBe(true);
  });

  it.each([
    '"text"',
    '1',
    'null',
    'undefined',
    '[]',
    '{}',
    '`a`',
    '1 + visitor.claims.seats',
    '-visitor.claims.seats',
    '+"1"',
    'typeof visitor.type',
    'visitor.claims.beta ? "a" : 2',
    'visitor.claims.name.trim()',
    'visitor.claims.name?.toLowerCase()',
    '"a".toUpperCase()',
    'visitor.claims.words.join()',
    'visitor.claims.words.map(a => a)',
    'visitor.claims.words.filter(a => a)',
    '"a" && 1',
    '"a" ?? 1',
    'null ?? "a"',
    '"a" + visitor.type',
    '[visitor] + 1',
    '1 - 1',
    '2 * 3',
    '4 / 2',
    '5 % 2',
  ])('must be able to yield a boolean, which %s cannot', (source) =>
    expect(problem(source, { schema })).toEqual(['not_boolean', source]),
  );

  it.each<[string, string, string]>([
    ['visitor.claims.name == "x"', 'dynamic_claim', 'visitor.claims.name'],
    ['visitor.claims.beta && visitor.claims.seats > 3', 'dynamic_claim', 'visitor.claims.seats'],
    ['visitor.claims.words.includes("a")', 'dynamic_claim', 'visitor.claims.words'],
    ['visitor.claims.flags.includes(true)', 'dynamic_claim', 'visitor.claims.flags'],
    ['visitor.claims.mixed.size > 1', 'dynamic_claim', 'visitor.claims.mixed.size'],
    ['visitor.claims.mixed != null', 'dynamic_claim', 'visitor.claims.mixed'],
    ['visitor.claims.unsigned.nick == "x"', 'dynamic_claim', 'visitor.claims.unsigned.nick'],
    ['visitor.claims[page.vars.a]', 'dynamic_claim', 'visitor.claims'],
    ['"beta" in visitor.claims', 'dynamic_claim', 'visitor.claims'],
    ['visitor["cla" + "ims"].beta', 'dynamic_claim', 'visitor'],
    ['visitor.claims.removed', 'undeclared_claim', 'visitor.claims.removed'],
    ['visitor.claims.org.none', 'undeclared_claim', 'visitor.claims.org.none'],
    ['visitor.claims.dark', 'undeclared_claim', 'visitor.claims.dark'],
    ['visitor.name', 'not_deterministic', 'visitor.name'],
    ['space == page', 'not_deterministic', 'space'],
    ['page.title == "a"', 'not_deterministic', 'page.title'],
    ['visitor.vars', 'not_deterministic', 'visitor.vars'],
    ['space.type', 'not_deterministic', 'space.type'],
  ])('must be deterministic, unlike %s', (source, code, where) => {
    expect(problem(source, { schema })).toEqual([code, where]);
    expect(compile(source, { schema }).deterministic).toBe(false);
  });

  it('may read all claims at once when all of them are deterministic', () => {
    const closed = schemaOf({ beta: { type: 'boolean' } });
    expect(problem('"beta" in visitor.claims', { schema: closed })).toBeUndefined();
    expect(problem('visitor.claims == null || visitor == null', { schema: closed })).toBeUndefined();
  });

  it('is checked for its syntax alone without a schema, and then is not deterministic with a claim', () => {
    expect(problem('visitor.claims.anything > 3')).toBeUndefined();
    expect(problem('"text"')).toEqual(['not_boolean', '"text"']);
    expect(compile('visitor.claims.beta')).toMatchObject({
      deterministic: false,
      problems: [{ code: 'dynamic_claim', start: 0, end: 19 }],
    });
    expect(compile('visitor.type == page.vars.a').deterministic).toBe(true);
  });

  it('may use any claim as a value', () => {
    expect(compile('visitor.claims.name.trim()', { schema }).evaluate({ visitor: { claims: { name: ' a ' } } })).toBe(
      'a',
    );
  });

  it('names all its problems', () => {
    expect(compile('visitor.claims.name + visitor.claims.gone', { schema }).problems).toEqual([
      {
        code: 'dynamic_claim',
        message:
          'visitor.claims.name is not limited to known values: only boolean and enumerated claims decide visibility',
        start: 0,
        end: 19,
      },
      {
        code: 'undeclared_claim',
        message: 'visitor.claims.gone is not declared in the adaptive schema',
        start: 22,
        end: 41,
      },
    ]);
  });
});
