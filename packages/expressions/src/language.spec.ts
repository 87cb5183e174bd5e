import { describe, expect, it } from '@jest/globals';
import { compileExpression, MERGE_RULE_VARIABLES } from './compile.js';
import { type Value } from './value.js';

const scope = {
  visitor: {
    type: 'human',
    claims: {
      plan: 'pro',
      beta: true,
      seats: 12,
      name: '  Ada Lovelace ',
      groups: ['admins', 'writers'],
      empty: null,
      org: { tier: 'gold', tags: ['x'] },
      'odd name': 7,
      unsigned: { dark: false },
      rows: [
        { id: 1, on: false },
        { id: 2, on: true },
      ],
    },
  },
  space: { vars: { version: '2.1' } },
  page: { vars: { audience: 'developers' } },
};
const value = (source: string): Value => compileExpression(source).evaluate(scope);
const fault = (source: string) => {
  const outcome = compileExpression(source).run(scope);
  return outcome.ok ? undefined : outcome.fault.code;
};

describe('literals', () => {
  it.each<[string, Value]>([
    ['"text"', 'text'],
    ["'text'", 'text'],
    ['12', 12],
    ['1.5e2', 150],
    ['true', true],
    ['false', false],
    ['null', null],
    ['undefined', undefined],
    ['[1, "a", null]', [1, 'a', null]],
    ['[]', []],
    ['`plain`', 'plain'],
    ['`v${space.vars.version}-${1 + 1}`', 'v2.1-2'],
    ['"\\u0041"', 'A'],
    ['{}', {}],
    ['{ a: 1, "b c": [2], 3: 4 }', { a: 1, 'b c': [2], 3: 4 }],
    ['{ ["a" + 1]: 2, [3]: 4, ["k"]: 5 }', { a1: 2, 3: 4, k: 5 }],
    ['[...[1, 2], 3]', [1, 2, 3]],
    ['["a", ...visitor.claims.groups.map(g => g)]', ['a', 'admins', 'writers']],
  ])('%s', (source, expected) => expect(value(source)).toEqual(expected));

  it('reads the shorthand of an object', () => expect(value('{ visitor }')).toEqual({ visitor: scope.visitor }));
  it('takes the empty source as true, and white space as an error', () => {
    expect(value('')).toBe(true);
    expect(() => compileExpression(' ')).toThrow('Unexpected token');
  });
  it('allows white space and comments around', () => expect(value(' /* who */ visitor.type // what\n')).toBe('human'));
});

describe('access', () => {
  it.each<[string, Value]>([
    ['visitor.claims.plan', 'pro'],
    ['visitor["claims"]["plan"]', 'pro'],
    ['visitor.claims["odd name"]', 7],
    ['visitor.claims[`plan`]', 'pro'],
    ['visitor.claims.groups[0]', 'admins'],
    ['visitor.claims.groups["1"]', 'writers'],
    ['visitor.claims.groups[5]', undefined],
    ['visitor.claims.groups[-1]', undefined],
    ['visitor.claims.groups.length', 2],
    ['visitor.claims.plan.length', 3],
    ['visitor.claims.plan[0]', 'p'],
    ['visitor.claims.plan[9]', undefined],
    ['visitor.claims.plan["length"]', 3],
    ['visitor.claims.plan.bold', undefined],
    ['visitor.claims[visitor.claims.plan == "pro" ? "seats" : "x"]', 12],
    ['visitor.claims.missing', undefined],
    ['visitor.claims.missing?.deeper', undefined],
    ['visitor.claims.missing?.deeper.still.deeper', undefined],
    ['visitor.claims.missing?.["deeper"].still', undefined],
    ['visitor.claims.missing?.[0][1]', undefined],
    ['visitor.claims.empty?.x', undefined],
    ['visitor.claims.org?.tier', 'gold'],
    ['visitor.claims?.["org"]?.tier', 'gold'],
    ['(visitor.claims.org)?.tier', 'gold'],
    ['visitor.claims.seats.anything', undefined],
    ['visitor.claims.beta.anything', undefined],
    ['visitor.claims.groups.trim', undefined],
    ['visitor.claims.toString', undefined],
    ['visitor.claims.hasOwnProperty', undefined],
    ['visitor.claims[["plan"]]', 'pro'],
  ])('%s', (source, expected) => expect(value(source)).toEqual(expected));

  it.each([
    'visitor.claims.missing.deeper',
    'visitor.claims.empty.x',
    '(visitor.claims.missing?.a).b',
    'visitor.claims.missing[0]',
    'visitor.claims.missing.trim()',
    'null.x',
  ])('fails below what is absent: %s', (source) => {
    expect(fault(source)).toBe('no_value');
    expect(value(source)).toBe(false);
  });

  it('reads a variable that the scope lacks as undefined', () => {
    expect(compileExpression('page').run({})).toEqual({ ok: true, value: undefined });
    expect(compileExpression('page?.vars').run({})).toEqual({ ok: true, value: undefined });
  });

  it('knows the variables it is told', () => {
    const rule = compileExpression(
      'reviews.some(review => review.status == "approved" && review.reviewer.id != actor.id)',
      { variables: MERGE_RULE_VARIABLES },
    );
    expect(rule.test({ actor: { id: 'a' }, reviews: [{ status: 'approved', reviewer: { id: 'b' } }] })).toBe(true);
    expect(rule.test({ actor: { id: 'a' }, reviews: [{ status: 'approved', reviewer: { id: 'a' } }] })).toBe(false);
    expect(() => compileExpression('visitor.type', { variables: MERGE_RULE_VARIABLES })).toThrow(
      'There is no variable visitor',
    );
  });
});

describe('operators', () => {
  it.each<[string, Value]>([
    ['!visitor.claims.beta', false],
    ['!!visitor.claims.plan', true],
    ['-visitor.claims.seats', -12],
    ['+"12"', 12],
    ['typeof visitor.claims.plan', 'string'],
    ['typeof visitor.claims.missing', 'undefined'],
    ['typeof visitor.claims.empty', 'object'],
    ['1 == "1"', true],
    ['null == undefined', true],
    ['null == 0', false],
    ['1 != 2', true],
    ['1 === "1"', false],
    ['1 !== "1"', true],
    ['visitor.claims.org == visitor.claims.org', true],
    ['[] == []', false],
    ['[1] == 1', true],
    ['"a" < "b"', true],
    ['10 > 9', true],
    ['"10" > "9"', false],
    ['2 <= 2', true],
    ['3 >= 4', false],
    ['undefined < 1', false],
    ['undefined >= undefined', false],
    ['1 + 2 * 3', 7],
    ['7 % 4', 3],
    ['6 / 4', 1.5],
    ['5 - "2"', 3],
    ['"a" + 1', 'a1'],
    ['"x" + [1, [2, null], undefined]', 'x1,2,,'],
    ['"" + {}', '[object Object]'],
    ['1 / 0', Number.POSITIVE_INFINITY],
    ['visitor.claims.beta && "yes"', 'yes'],
    ['visitor.claims.missing || "none"', 'none'],
    ['"" ?? "other"', ''],
    ['visitor.claims.empty ?? "other"', 'other'],
    ['visitor.claims.seats > 10 ? "many" : "few"', 'many'],
    ['false && visitor.claims.missing.x', false],
    ['true || visitor.claims.missing.x', true],
    ['1 ?? visitor.claims.missing.x', 1],
    ['true ? 1 : visitor.claims.missing.x', 1],
    ['visitor.claims.org == null', false],
    ['null == visitor.claims.org', false],
    ['visitor.claims.org == undefined', false],
    ['[] == ""', true],
    ['"" == []', true],
    ['"" == null', false],
    ['null == ""', false],
    ['undefined == 0', false],
    ['null == false', false],
    ['null == null', true],
    ['true == "1"', true],
    ['"a" == 1', false],
    ['"10" > 9', true],
    ['9 < "10"', true],
    ['"a" < 1', false],
    ['1 < "b"', false],
    ['1 >= "b"', false],
    ['"b" > "a"', true],
    ['"a" >= "a"', true],
    ['"a" <= "b"', true],
    ['true + 1', 2],
    ['1 + null', 1],
    ['null + null', 0],
    ['1 + undefined', Number.NaN],
    ['1 + "a"', '1a'],
    ['true + "a"', 'truea'],
    ['"a" + null', 'anull'],
    ['1 + [2]', '12'],
    ['0 && 1', 0],
    ['1 && 2', 2],
    ['"" || 0', 0],
    ['0 || "x"', 'x'],
    ['"x" || 0', 'x'],
    ['null ?? 0', 0],
    ['0 ?? 1', 0],
    ['+true', 1],
    ['+null', 0],
    ['+undefined', Number.NaN],
    ['-"3"', -3],
    ['"admins" in visitor.claims.groups', true],
    ['"0" in visitor.claims.groups', false],
    ['0 in visitor.claims.groups', false],
    ['"plan" in visitor.claims', true],
    ['"missing" in visitor.claims', false],
    ['"toString" in visitor.claims', false],
    ['1 in [0, 1]', true],
    ['0 / 0 in [0 / 0]', true],
  ])('%s', (source, expected) => expect(value(source)).toEqual(expected));

  it.each(['"a" in "abc"', '1 in 2', '"a" in null'])('refuses to look into %s', (source) =>
    expect(fault(source)).toBe('wrong_type'),
  );
});

describe('methods', () => {
  it.each<[string, Value]>([
    ['visitor.claims.plan.at(-1)', 'o'],
    ['visitor.claims.plan.at(7)', undefined],
    ['"ab".at("1")', 'b'],
    ['"ab".at(undefined)', 'a'],
    ['"ab".at(0 / 0)', 'a'],
    ['visitor.claims.plan.startsWith("p")', true],
    ['"abc".startsWith("b", 1)', true],
    ['"abc".startsWith("a", -5)', true],
    ['"abc".endsWith("b", 2)', true],
    ['"abc".endsWith("c")', true],
    ['"abc".endsWith("", -1)', true],
    ['"abc".includes("b")', true],
    ['"abc".includes("a", 1)', false],
    ['"a1".includes(1)', true],
    ['"xundefined".includes(visitor.claims.missing)', true],
    ['"AbÇ".toLowerCase()', 'abç'],
    ['"abß".toUpperCase()', 'ABSS'],
    ['visitor.claims.name.trim()', 'Ada Lovelace'],
    ['visitor.claims["plan"]["trim"]()', 'pro'],
    ['visitor.claims.groups.at(-1)', 'writers'],
    ['visitor.claims.groups.at(9)', undefined],
    ['visitor.claims.groups.at(-9)', undefined],
    ['visitor.claims.groups.at(1.9)', 'writers'],
    ['visitor.claims.groups.includes("admins")', true],
    ['visitor.claims.groups.includes("admins", 1)', false],
    ['visitor.claims.groups.includes("writers", -1)', true],
    ['visitor.claims.groups.includes("admins", -9)', true],
    ['[0 / 0].includes(0 / 0)', true],
    ['["1"].includes(1)', false],
    ['visitor.claims.groups.join()', 'admins,writers'],
    ['visitor.claims.groups.join(" + ")', 'admins + writers'],
    ['[1, null, [2, 3]].join("-")', '1--2,3'],
    ['[].join("x")', ''],
    ['visitor.claims.groups.join(undefined)', 'admins,writers'],
    ['[1, 2].join(null)', '1null2'],
    ['visitor.claims.groups.some(group => group == "writers")', true],
    ['visitor.claims.groups.some(group => false)', false],
    ['[].some(x => true)', false],
    ['visitor.claims.groups.every(group => group.length > 5)', true],
    ['visitor.claims.groups.every(group => group == "admins")', false],
    ['[].every(x => false)', true],
    ['visitor.claims.groups.map((group, index) => group + index)', ['admins0', 'writers1']],
    ['[1, 2, 3].filter(n => n % 2)', [1, 3]],
    ['visitor.claims.rows.find(row => row.on).id', 2],
    ['visitor.claims.rows.find(row => row.id > 5)', undefined],
    ['[0, 1].find(n => !n)', 0],
    ['[[1, 2], [3]].map(row => row.map(n => n * row.length))', [[2, 4], [3]]],
    ['[1, 2].map((n, i, all) => all.length + i)', [2, 3]],
    ['[1, 2].map(() => visitor.type)', ['human', 'human']],
    ['[1].map(visitor => visitor)', [1]],
    ['[1].map((a => (a)))', [1]],
    ['[[1]].map(x => x.map(x => x + 1))', [[2]]],
    ['visitor.claims.missing?.trim()', undefined],
    ['visitor.claims.missing?.trim().length', undefined],
    ['visitor.claims.seats.trim?.()', undefined],
    ['visitor.claims.plan.trim?.()', 'pro'],
    ['visitor.claims.seats.some?.(x => x).more', undefined],
    ['visitor.claims.plan?.trim()?.length', 3],
  ])('%s', (source, expected) => expect(value(source)).toEqual(expected));

  it.each([
    'visitor.claims.seats.trim()',
    '{ trim: 1 }.trim()',
    '{ trim: 1 }.trim?.()',
    '"abc".some(x => x)',
    '"abc".join()',
    '[].trim()',
    '{}.includes("a")',
    'true.at(0)',
    '{ map: 1 }.map(x => x)',
  ])('fails on a receiver of another type: %s', (source) => expect(fault(source)).toBe('wrong_type'));
});

describe('a failed evaluation', () => {
  it('is false, and says where and why', () => {
    const expression = compileExpression('visitor.type == "human" && visitor.claims.nothing.deep > 1');
    expect(expression.evaluate(scope)).toBe(false);
    expect(expression.test(scope)).toBe(false);
    expect(expression.run(scope)).toEqual({
      ok: false,
      fault: { code: 'no_value', message: 'Cannot read deep of undefined', start: 27, end: 54 },
    });
  });

  it.each<[string, string]>([
    ['visitor.claims.empty.x', 'Cannot read x of null'],
    ['visitor.claims.missing[0]', 'Cannot read 0 of undefined'],
    ['visitor.claims.missing.trim()', 'Cannot call trim of undefined'],
    ['visitor.claims.empty.some(x => x)', 'Cannot call some of null'],
    ['visitor.claims.seats.trim()', 'trim is not available on number'],
    ['visitor.claims.groups.trim()', 'trim is not available on array'],
    ['visitor.claims.org.join()', 'join is not available on object'],
    ['"a" in null', 'Cannot look for something in null'],
    ['"a" in "abc"', 'Cannot look for something in string'],
    ['visitor["__pro" + "to__"]', 'The name __proto__ is not allowed'],
    ['"" + { toString: 1 }', 'An object with its own toString has no text'],
  ])('says why: %s', (source, message) => {
    const outcome = compileExpression(source).run(scope);
    expect(outcome.ok ? undefined : outcome.fault.message).toBe(message);
  });

  it('says why a value of the host is refused', () => {
    const message = (claim: unknown, source = 'visitor.claim') => {
      const outcome = compileExpression(source).run({ visitor: { claim } });
      return outcome.ok ? undefined : outcome.fault.message;
    };
    expect(message(() => 1)).toBe('A function cannot be used here');
    expect(message(1n)).toBe('A bigint cannot be used here');
    expect(message(new Date())).toBe('An object that is not plain data cannot be used here');
    expect(message(Array.from({ length: 1001 }, () => 1))).toBe('An array has at most 1000 elements');
    expect(message([() => 1], '"" + visitor.claim')).toBe('This has no text');
    expect(message([Symbol('s')], '"" + visitor.claim')).toBe('This has no text');
  });

  it('coerces another value to a condition', () => {
    expect(compileExpression('visitor.claims.plan').test(scope)).toBe(true);
    expect(compileExpression('visitor.claims.empty').test(scope)).toBe(false);
  });
});
