import { describe, expect, it } from '@jest/globals';
import { compileExpression } from './compile.js';
import { ExpressionError, type ExpressionErrorCode } from './error.js';

const refusal = (source: string): ExpressionError => {
  try {
    compileExpression(source);
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error(`${source} was accepted`);
};

describe('what is refused when it is written', () => {
  it.each<[string, ExpressionErrorCode, number, number]>([
    ['visitor.claims.plan = "pro"', 'forbidden', 0, 27],
    ['visitor.claims.seats++', 'forbidden', 0, 22],
    ['new Date()', 'forbidden', 0, 10],
    ['1, 2', 'forbidden', 0, 4],
    ['visitor && this', 'forbidden', 11, 15],
    ['await visitor', 'forbidden', 0, 13],
    ['function () {}', 'forbidden', 0, 14],
    ['class {}', 'forbidden', 0, 8],
    ['() => 1', 'forbidden', 0, 7],
    ['(() => 1)()', 'forbidden', 0, 11],
    ['import("fs")', 'forbidden', 0, 12],
    ['import.meta', 'forbidden', 0, 11],
    ['visitor.type`x`', 'forbidden', 0, 15],
    ['/a/.test("a")', 'forbidden', 4, 8],
    ['"a" in /a/', 'forbidden', 7, 10],
    ['10n > 1', 'forbidden', 0, 3],
    ['void 0', 'forbidden', 0, 6],
    ['delete visitor.type', 'forbidden', 0, 19],
    ['~1', 'forbidden', 0, 2],
    ['1 | 2', 'forbidden', 0, 5],
    ['1 & 2', 'forbidden', 0, 5],
    ['2 ** 3', 'forbidden', 0, 6],
    ['1 << 2', 'forbidden', 0, 6],
    ['visitor instanceof visitor', 'forbidden', 0, 26],
    ['[1, , 2]', 'forbidden', 0, 8],
    ['[...visitor.claims.groups]', 'forbidden', 1, 25],
    ['({ ...visitor })', 'forbidden', 3, 13],
    ['({ get a() { return 1 } })', 'forbidden', 3, 23],
    ['({ a() { return 1 } })', 'forbidden', 3, 19],
    ['({ 1n: 1 })', 'forbidden', 3, 8],
    ['visitor.claims.at(...[1])', 'forbidden', 18, 24],
    ['visitor.claims.plan.replace("a", "b")', 'forbidden', 20, 27],
    ['visitor.claims.groups.reduce((a, b) => a)', 'forbidden', 22, 28],
    ['visitor()', 'forbidden', 0, 9],
    ['visitor.claims[visitor.type]()', 'forbidden', 0, 28],
    ['"a".trim(1)', 'forbidden', 0, 11],
    ['"a".startsWith()', 'forbidden', 0, 16],
    ['[].map()', 'forbidden', 0, 8],
    ['[].map(visitor)', 'forbidden', 7, 14],
    ['[].map(x => x, 1)', 'forbidden', 0, 17],
    ['[].map(x => { return x })', 'forbidden', 7, 24],
    ['[].map(async x => x)', 'forbidden', 7, 19],
    ['[].map(function (x) { return x })', 'forbidden', 7, 32],
    ['[].map(({ id }) => id)', 'forbidden', 8, 14],
    ['[].map(([id]) => id)', 'forbidden', 8, 12],
    ['[].map((x = 1) => x)', 'forbidden', 8, 13],
    ['[].map((...x) => x)', 'forbidden', 8, 12],
    ['[].map((a, b, c, d) => a)', 'forbidden', 7, 24],
    ['[].map(undefined => 1)', 'forbidden', 7, 16],
    ['[].map(x => y)', 'unknown_variable', 12, 13],
    ['[1].map(x => x) && x', 'unknown_variable', 19, 20],
    ['process.env', 'unknown_variable', 0, 7],
    ['globalThis', 'unknown_variable', 0, 10],
    ['NaN', 'unknown_variable', 0, 3],
    ['visitor.claims.plan ==', 'syntax', 22, 22],
    ['visitor.claims.plan = = 1', 'syntax', 22, 23],
    ['"open', 'syntax', 0, 1],
    ['visitor type', 'syntax', 8, 9],
    ['visitor; visitor', 'syntax', 7, 8],
    ['visitor.type )', 'syntax', 13, 14],
    ['visitor.type "open', 'syntax', 13, 14],
    ['a <!-- b', 'unknown_variable', 0, 1],
    ['a ?? b || c', 'syntax', 7, 8],
    ['if (visitor) 1', 'syntax', 0, 1],
    ['let a', 'syntax', 0, 1],
    ['#secret in visitor', 'syntax', 0, 1],
    ['visitor.#secret', 'syntax', 8, 9],
    ['super.x', 'syntax', 0, 1],
    ['\u0000', 'syntax', 0, 1],
    ['\ud800', 'syntax', 0, 1],
  ])('%s', (source, code, start, end) => {
    const error = refusal(source);
    expect([error.code, error.start, error.end]).toEqual([code, start, end]);
  });

  it('says where by line and column', () => {
    const error = refusal('visitor.type ==\r\n  "human" &&\n    window');
    expect(error.toJSON()).toEqual({
      code: 'unknown_variable',
      message: 'There is no variable window',
      start: 34,
      end: 40,
      line: 3,
      column: 5,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('ExpressionError');
  });

  it.each<[string, string]>([
    ['new visitor.x', 'The construct "new" is not part of the language'],
    ['visitor.type`x`', 'The construct "tagged template" is not part of the language'],
    ['(x) => x', 'A function outside of an array method is not part of the language'],
    ['x = 1', 'The construct "assignment" is not part of the language'],
    ['/a/ == 1', 'Regular expressions are not part of the language'],
    ['1n == 1', 'Big integers are not part of the language'],
    ['[1, , 2]', 'An array has no holes'],
    ['[...visitor]', 'Only what is certainly an array can be spread'],
    ['({ ...visitor })', 'Objects cannot be spread'],
    ['({ get a() { return 1 } })', 'An object has no methods and no accessors'],
    ['({ a() { return 1 } })', 'An object has no methods and no accessors'],
    ['({ 1n: 1 })', 'A property name is a name, a string or a number'],
    ['~1', 'The operator ~ is not part of the language'],
    ['1 | 2', 'The operator | is not part of the language'],
    ['visitor.constructor', 'The name constructor is not allowed'],
    ['visitor()', 'Only methods of a value can be called'],
    ['visitor[1]()', 'Only a method with a fixed name can be called'],
    ['visitor[visitor]()', 'Only a method with a fixed name can be called'],
    ['"a".repeat(2)', 'The method repeat is not available'],
    ['"a".at(...[1])', 'Arguments cannot be spread'],
    ['"a".at()', 'at does not take 0 arguments'],
    ['"a".at(1, 2)', 'at does not take 2 arguments'],
    ['"a".includes("a", 1, 2)', 'includes does not take 3 arguments'],
    ['"a".toLowerCase(1)', 'toLowerCase does not take 1 arguments'],
    ['"a".toUpperCase(1)', 'toUpperCase does not take 1 arguments'],
    ['"a".endsWith()', 'endsWith does not take 0 arguments'],
    ['[].join(1, 2)', 'join does not take 2 arguments'],
    ['[].some()', 'some does not take 0 arguments'],
    ['[].map(1)', 'map takes an arrow function'],
    ['[].map(async x => x)', 'A callback is an arrow function with an expression as its body'],
    ['[].map(x => {})', 'A callback is an arrow function with an expression as its body'],
    ['[].map((a, b, c, d) => a)', 'A callback has at most 3 parameters'],
    ['[].map(([a]) => a)', 'A parameter is a plain name'],
    ['[].map(undefined => 1)', 'undefined cannot be a parameter'],
    ['visitor type', 'Unexpected text after the expression'],
    ['visitor.', 'Unexpected token'],
    ['"open', 'Unterminated string constant'],
    ['                        (', 'Unexpected token'],
  ])('says what is wrong: %s', (source, message) => expect(refusal(source).message).toBe(message));
});
