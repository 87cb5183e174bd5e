import { describe, expect, it } from '@jest/globals';
import { compileExpression, type Outcome } from './compile.js';
import { ExpressionError } from './error.js';
import { LIMITS } from './limits.js';

const refusal = (source: string): string | undefined => {
  try {
    compileExpression(source);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.code;
    throw error;
  }
};
const run = (source: string, claims: object = {}): Outcome => compileExpression(source).run({ visitor: { claims } });
const faultOf = (source: string, claims?: object): string | undefined => {
  const outcome = run(source, claims);
  return outcome.ok ? undefined : outcome.fault.code;
};
const repeat = (text: string, times: number): string => text.repeat(times);

describe('the size of a source', () => {
  it('is 1024 characters', () => {
    expect(refusal(`"${repeat('a', LIMITS.sourceLength - 2)}"`)).toBeUndefined();
    expect(refusal(`"${repeat('a', LIMITS.sourceLength - 1)}"`)).toBe('too_long');
    expect(refusal(repeat('(', 5_000_000))).toBe('too_long');
  });

  it('is 200 nodes', () => {
    const items = (count: number) => `[${Array.from({ length: count }, () => '1').join(',')}]`;
    expect(refusal(items(LIMITS.nodes - 1))).toBeUndefined();
    expect(refusal(items(LIMITS.nodes))).toBe('too_complex');
  });

  it('is 32 levels, parentheses aside', () => {
    expect(refusal(`${repeat('!', LIMITS.depth - 1)}visitor`)).toBeUndefined();
    expect(refusal(`${repeat('!', LIMITS.depth)}visitor`)).toBe('too_complex');
    expect(refusal(`visitor${repeat('.a', LIMITS.depth - 1)}`)).toBeUndefined();
    expect(refusal(`visitor${repeat('.a', LIMITS.depth)}`)).toBe('too_complex');
    expect(refusal(`visitor${repeat('?.a', LIMITS.depth - 1)}`)).toBeUndefined();
    expect(refusal(`${repeat('(', LIMITS.brackets)}1${repeat(')', LIMITS.brackets)}`)).toBeUndefined();
    expect(refusal(`${repeat('(', LIMITS.brackets + 1)}1${repeat(')', LIMITS.brackets + 1)}`)).toBe('too_complex');
    expect(refusal(Array.from({ length: LIMITS.depth - 1 }, () => '(1)').join(' + '))).toBeUndefined();
  });

  it('counts brackets that stand beside one another once', () => {
    expect(refusal(`[${Array.from({ length: LIMITS.brackets + 10 }, () => '[]').join(',')}]`)).toBeUndefined();
    expect(refusal(`[${Array.from({ length: LIMITS.brackets + 10 }, () => '({})').join(',')}]`)).toBeUndefined();
  });

  it('bounds what nests without brackets before it is parsed', () => {
    const message = (source: string): string => {
      try {
        return String(compileExpression(source).source);
      } catch (error) {
        return error instanceof Error ? error.message : '';
      }
    };
    expect(message(`${repeat('a=>', 201)}a`)).toBe('The expression is nested too deeply');
    expect(message(`${repeat('a=>', 200)}a`)).toBe('A function outside of an array method is not part of the language');
    expect(message(`${repeat('!', 201)}a`)).toBe('The expression is nested too deeply');
    expect(message(`${repeat('!', 200)}true`)).toBe('The expression is more than 32 levels deep');
    expect(message(repeat('(', 65))).toBe('The expression is nested too deeply');
    expect(message(repeat('(', 64))).toBe('Unexpected token');
    expect(message(`[${Array.from({ length: 200 }, () => '1').join(',')}]`)).toBe(
      'The expression has more than 200 nodes',
    );
    expect(message(repeat('a', 1025))).toBe('The expression has 1025 characters, 1024 are allowed');
  });

  it.each([
    '(',
    '[',
    '{a:',
    '!',
    '-',
    'a=>',
    'a?b:',
    '`${',
    'f(',
    'a[',
    '(a=>',
    '((',
    'typeof ',
    '[...',
    'new ',
    'await ',
    'async a=>',
    'a=',
    'a**',
    'a??',
    'a&&',
    '...',
    'function(){',
    'class{a=',
    '#',
    '\\u',
    '/*',
    '<!--',
    '\u2028',
    '\0',
  ])('refuses %j as often as it fits, at any depth of the stack', (text) => {
    const source = repeat(text, Math.floor(LIMITS.sourceLength / text.length));
    const nested = (frames: number): string | undefined => (frames === 0 ? refusal(source) : nested(frames - 1));
    expect(refusal(source)).toMatch(/^(?:too_complex|syntax|forbidden|unknown_variable)$/u);
    expect(nested(3_000)).toBe(refusal(source));
  });
});

describe('the work of an evaluation', () => {
  const numbers = Array.from({ length: LIMITS.arrayLength }, (_, position) => position);

  it('is 10,000 steps', () => {
    expect(run('visitor.claims.n.every(a => a >= 0)', { n: numbers })).toEqual({ ok: true, value: true });
    expect(run('visitor.claims.n.some(a => visitor.claims.n.some(b => a + b < 0))', { n: numbers })).toEqual({
      ok: false,
      fault: expect.objectContaining({ code: 'limit', message: 'The evaluation takes more than 10000 steps' }),
    });
  });

  it('counts every node as often as it is evaluated', () => {
    // The call, its receiver of three nodes, and ten nodes for each element.
    const source = 'visitor.claims.n.map(a => [a, a, a, a, a, a, a, a, a])';
    expect(faultOf(source, { n: numbers.slice(0, 999) })).toBeUndefined();
    expect(faultOf(source, { n: numbers })).toBe('limit');
  });

  it('ends after exactly 10,000', () => {
    // The call and its receiver are 4 steps, the body 12 for each of 833 elements.
    const claims = { n: numbers.slice(0, 833) };
    const source = 'visitor.claims.n.map(a => [a, a, a, a, a, a, a, a, a, a, a])';
    expect(faultOf(source, claims)).toBeUndefined();
    expect(faultOf(`!${source}`, claims)).toBe('limit');
  });

  it('includes reading and writing long text', () => {
    const long = repeat('a', 1_000_000);
    expect(faultOf('visitor.claims.t.toLowerCase()', { t: long })).toBeUndefined();
    expect(faultOf('visitor.claims.n.some(a => visitor.claims.t.toLowerCase() == "")', { t: long, n: numbers })).toBe(
      'limit',
    );
    expect(faultOf('visitor.claims.n.some(a => visitor.claims.t.trim() == "")', { t: long, n: numbers })).toBe('limit');
    expect(faultOf('visitor.claims.t.includes("b")', { t: long })).toBeUndefined();
    expect(faultOf('visitor.claims.n.some(a => visitor.claims.t.includes("b"))', { t: long, n: numbers })).toBe(
      'limit',
    );
    expect(faultOf('visitor.claims.t.includes(visitor.claims.w)', { t: long, w: `${repeat('a', 500_000)}b` })).toBe(
      'limit',
    );
    expect(
      faultOf('visitor.claims.n.some(a => visitor.claims.t == visitor.claims.u)', {
        t: long,
        u: `${long.slice(1)}b`,
        n: numbers,
      }),
    ).toBe('limit');
    expect(
      faultOf('visitor.claims.n.some(a => visitor.claims.t < visitor.claims.u)', { t: long, u: long, n: numbers }),
    ).toBe('limit');
    expect(
      faultOf('visitor.claims.n.some(a => visitor.claims.t.startsWith(visitor.claims.u, 1))', {
        t: long,
        u: long,
        n: numbers,
      }),
    ).toBe('limit');
    expect(
      faultOf('visitor.claims.n.some(a => visitor.claims.t.endsWith(visitor.claims.u, 1))', {
        t: long,
        u: long,
        n: numbers,
      }),
    ).toBe('limit');
    expect(
      faultOf('visitor.claims.n.some(a => +visitor.claims.t == 1)', { t: repeat('1', 1_000_000), n: numbers }),
    ).toBe('limit');
    expect(
      faultOf('visitor.claims.n.some(a => 1 == visitor.claims.t)', { t: repeat('1', 1_000_000), n: numbers }),
    ).toBe('limit');
    expect(faultOf('visitor.claims.n.map(a => visitor.claims.t + a)', { t: long, n: numbers })).toBe('limit');
    expect(faultOf('visitor.claims.n.map(a => `${visitor.claims.t}${a}`)', { t: long, n: numbers })).toBe('limit');
    expect(faultOf('visitor.claims.n.join(visitor.claims.t)', { t: repeat('a', 20_000), n: numbers })).toBe('limit');
    expect(faultOf('visitor.claims.n.map(a => visitor.claims.t).join()', { t: repeat('a', 100_000), n: numbers })).toBe(
      'limit',
    );
  });

  it('stops text that doubles', () => {
    const doubling = `[visitor.claims.t]${repeat('.map(t => t + t)', 28)}`;
    expect(faultOf(doubling, { t: 'a' })).toBe('limit');
    expect(faultOf(`[[visitor.claims.t]]${repeat('.map(t => [t, t])', 25)}.join()`, { t: 'a' })).toBe('limit');
  });

  it('counts the elements that are looked through', () => {
    const source = (method: string) => `visitor.claims.n.some(a => ${method})`;
    expect(faultOf(source('visitor.claims.n.includes(-1)'), { n: numbers })).toBe('limit');
    expect(faultOf(source('-1 in visitor.claims.n'), { n: numbers })).toBe('limit');
    expect(faultOf(source('visitor.claims.n.join() == ""'), { n: numbers })).toBe('limit');
    expect(faultOf(source('[...visitor.claims.n.filter(b => b < 3)].length == 0'), { n: numbers })).toBe('limit');
  });

  it('has arrays of at most 1000 elements', () => {
    expect(run('visitor.claims.n.length', { n: numbers })).toEqual({ ok: true, value: 1000 });
    expect(faultOf('visitor.claims.n.length', { n: [...numbers, 1] })).toBe('limit');
    expect(run('[...visitor.claims.n.map(a => a)].length', { n: numbers })).toEqual({ ok: true, value: 1000 });
    expect(faultOf('[0, ...visitor.claims.n.map(a => a)].length', { n: numbers })).toBe('limit');
  });

  it('turns arrays into text sixteen levels deep', () => {
    const nest = (depth: number): unknown => (depth === 0 ? [] : [nest(depth - 1)]);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(run('"" + visitor.claims.n', { n: nest(LIMITS.textDepth) })).toEqual({ ok: true, value: '' });
    expect(faultOf('"" + visitor.claims.n', { n: nest(LIMITS.textDepth + 1) })).toBe('limit');
    expect(faultOf('visitor.claims.n.join()', { n: circle })).toBe('limit');
    expect(run('"" + visitor.claims.n', { n: circle })).toMatchObject({
      ok: false,
      fault: { message: 'An array is nested too deeply to be text' },
    });
  });
});
