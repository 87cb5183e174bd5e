import { afterEach, describe, expect, it } from '@jest/globals';
import { compileExpression } from './compile.js';
import { ExpressionError } from './error.js';

class Account {
  readonly id = 1;
  secret(): string {
    return 'leaked';
  }
}

const host = {
  visitor: { type: 'human', claims: { name: 'a', groups: ['x'], org: { a: 1 } } },
  space: {
    fn: () => 'called',
    account: new Account(),
    map: new Map([['a', 1]]),
    date: new Date(0),
    symbol: Symbol('s'),
    big: 1n,
    bytes: new Uint8Array(2),
    promise: Promise.resolve(1),
    pattern: /x/u,
    coercing: { toString: () => 'called', valueOf: () => 1 },
    listed: [() => 'called', new Account(), Object],
    inherited: Object.create({ secret: 1 }) as object,
    chained: Object.create({ toString: 'x' }) as object,
  },
  page: { vars: {} },
};

/** What a source comes to: refused when compiled, stopped when evaluated, or a value. */
const attempt = (source: string): string => {
  try {
    const outcome = compileExpression(source).run(host);
    return outcome.ok
      ? `value ${typeof outcome.value} ${JSON.stringify(outcome.value) ?? ''}`
      : `stopped ${outcome.fault.code}`;
  } catch (error) {
    if (error instanceof ExpressionError) return `refused ${error.code}`;
    throw error;
  }
};

describe('the ways out of a sandbox', () => {
  it.each([
    'visitor.constructor',
    'visitor["constructor"]',
    'visitor.__proto__',
    'visitor["__proto__"]',
    'visitor?.["__proto__"]',
    'visitor.claims.name.constructor',
    'visitor.constructor.constructor("return process")()',
    '"".constructor.constructor("return process")()',
    '"".sub.constructor("x")',
    '[].map.constructor("x")',
    'visitor.\\u0063onstructor',
    'visitor["\\x63onstructor"]',
    'visitor[`constructor`]',
    'visitor["\\u005f_proto__"]',
    '{ __proto__: visitor }',
    '{ "__proto__": null }',
    '{ constructor: 1 }',
    '{ ["__proto__"]: 1 }',
    'constructor',
    '__proto__',
    'prototype',
    '[].map(constructor => constructor)',
    '[].filter.prototype',
    '[1].map(x => x.constructor)',
    '[1].map(x => x["constructor"])',
    '(() => this)()',
    'this.process',
    'new Function("return 1")()',
    'Function("return 1")()',
    'eval("1")',
    'import("node:fs")',
    'import.meta.url',
    'require("fs")',
    'process.mainModule',
    'globalThis.process',
    'arguments[0]',
    'new.target',
    '[].map.call(visitor, x => x)',
    '"".at.bind("x")',
    '"".at.apply("x")',
    '{}.toString.call(visitor)',
    'visitor.__defineGetter__("a", x => x)',
    'visitor.__lookupGetter__("a")',
    'visitor.hasOwnProperty("a")',
    '"a".replace("a", x => x)',
    '"a".constructor.fromCharCode(1)',
    '"a".repeat(1e9)',
    '"a".padEnd(1e9)',
    '[].concat.constructor',
    'visitor.type`${x => x}`',
    '`${x => x}`',
    '(async () => {})().constructor',
    '(function* () {})().next',
    '[...visitor]',
    'visitor.claims = 1',
    'delete visitor.claims',
    'visitor.claims.groups.push(1)',
    'visitor.claims.groups.sort()',
    'Symbol.iterator',
    'Reflect.get(visitor, "a")',
    'Object.getPrototypeOf(visitor)',
    'Proxy',
    'WebAssembly',
    'Intl',
    'setTimeout("1")',
    'with (visitor) claims',
  ])('refuses %s', (source) => expect(attempt(source)).toMatch(/^refused (?:forbidden|unknown_variable|syntax)$/u));

  it.each([
    'visitor["constr" + "uctor"]',
    'visitor[["constructor"]]',
    'visitor[[["__proto__"]]]',
    'visitor[`${"proto"}type`]',
    'visitor?.["__pro" + "to__"]',
    '"abc"["construct" + "or"]',
    '[]["construct" + "or"]',
    '1["construct" + "or"]',
    '["constructor"].map(name => visitor[name])',
    '("constr" + "uctor") in visitor',
    '"constructor" in visitor',
    '{ ["__pro" + "to__"]: 1 }',
    '{ [["constructor"]]: 1 }',
    'visitor[{ a: 1 } + "" == "[object Object]" ? "prototype" : "x"]',
  ])('stops %s', (source) => expect(attempt(source)).toBe('stopped forbidden_name'));

  it.each([
    'visitor.toString',
    'visitor.valueOf',
    'visitor.hasOwnProperty',
    '"a".trim',
    '[].map',
    'visitor.claims.groups.push',
    '"a"["repeat"]',
    'visitor["is" + "PrototypeOf"]',
  ])('finds nothing at %s', (source) => expect(attempt(source)).toBe('value undefined '));

  it.each([
    'space.fn',
    'space.account',
    'space.map',
    'space.date',
    'space.symbol',
    'space.big',
    'space.bytes',
    'space.promise',
    'space.pattern',
    'space.coercing.toString',
    'space.listed[0]',
    'space.listed.at(0)',
    'space.listed.find(x => true)',
    'space.listed.map(x => x)',
    'space.listed[1]',
    'space.inherited.secret',
    'space?.chained',
    'space.listed.join()',
    '"" + space.listed',
  ])('does not let the host value in: %s', (source) => expect(attempt(source)).toMatch(/^stopped foreign_value$/u));

  it.each([
    '"" + space.coercing',
    '`${space.coercing}`',
    'space.coercing == "called"',
    'space.coercing > 0',
    '+space.coercing',
    'visitor[space.coercing]',
    '"called".includes(space.coercing)',
    '[space.coercing].join()',
  ])('never calls what an object carries: %s', (source) => expect(attempt(source)).toBe('stopped wrong_type'));

  it('survives a scope that resists being read', () => {
    const accessor = Object.defineProperty({}, 'type', {
      enumerable: true,
      get: () => {
        throw new Error('trap');
      },
    });
    const proxy = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          throw new Error('trap');
        },
      },
    );
    for (const visitor of [accessor, proxy]) {
      expect(compileExpression('visitor.type').run({ visitor })).toEqual({
        ok: false,
        fault: { code: 'foreign_value', message: 'The scope could not be read', start: 0, end: 12 },
      });
      expect(compileExpression('visitor.type').evaluate({ visitor })).toBe(false);
    }
  });

  it('takes what an accessor returns by the same rules', () => {
    const visitor = Object.defineProperty({}, 'type', { get: () => process });
    expect(compileExpression('visitor.type').test({ visitor })).toBe(false);
  });

  it('reads objects without prototype and of another realm as plain data', () => {
    expect(
      compileExpression('visitor.a').evaluate({ visitor: Object.assign(Object.create(null) as object, { a: 1 }) }),
    ).toBe(1);
    const outer = structuredClone({ a: [1] });
    expect(compileExpression('visitor.a[0]').evaluate({ visitor: outer })).toBe(1);
  });
});

describe('a polluted prototype', () => {
  afterEach(() => {
    Reflect.deleteProperty(Object.prototype, 'admin');
    Reflect.deleteProperty(Array.prototype, '7');
  });

  it('gives no claims', () => {
    Object.defineProperty(Object.prototype, 'admin', { value: true, configurable: true });
    Object.defineProperty(Array.prototype, '7', { value: 'x', configurable: true });
    expect(attempt('visitor.claims.admin')).toBe('value undefined ');
    expect(attempt('visitor.claims.groups[7]')).toBe('value undefined ');
    expect(attempt('{}.admin')).toBe('value undefined ');
    expect(attempt('"admin" in visitor')).toBe('value boolean false');
    expect(attempt('[].at(7)')).toBe('value undefined ');
  });
});
