import {
  compareElems,
  equalElems,
  items,
  keyOf,
  orderOf,
  regexOf,
  T,
  textOf,
  type Elem,
  type Path,
} from '../bson/index.js';
import { boundedTest } from '../../bounded-regex.js';
import { badValue, ServerError } from '../bson/errors.js';
import type { Node, Pred } from './node.js';

type Test = (v: Elem | undefined) => boolean;

export const pred = (path: Path, op: string, operand: Elem, each: boolean, test: Test): Pred => ({
  k: 'pred',
  path,
  op,
  operand,
  each,
  test,
});

const isNull: Test = (v) => v === undefined || v.t === T.null || v.t === T.undefined;

/** `{ a: value }` and `$eq`: null also means missing. */
export function equality(path: Path, operand: Elem): Pred {
  if (operand.t === T.null || operand.t === T.undefined) return pred(path, '$eq', operand, true, isNull);
  return pred(path, '$eq', operand, true, (v) => v !== undefined && equalElems(v, operand));
}

/** `$gt`, `$gte`, `$lt`, `$lte`: only values of the operand's own type compare. */
export function comparison(path: Path, op: string, operand: Elem): Pred {
  const orEqual = op.endsWith('e');
  const up = op.startsWith('$g');
  const holds = (c: number): boolean => (c === 0 ? orEqual : c > 0 === up);
  if (operand.t === T.null || operand.t === T.undefined)
    return pred(path, op, operand, true, (v) => orEqual && isNull(v));
  if (operand.t === T.minKey || operand.t === T.maxKey) {
    return pred(path, op, operand, true, (v) => v !== undefined && holds(compareElems(v, operand)));
  }
  const rank = orderOf(operand.t);
  const nan = isNaNElem(operand);
  return pred(path, op, operand, true, (v) => {
    if (v === undefined || orderOf(v.t) !== rank) return false;
    if (nan || isNaNElem(v)) return orEqual && nan && isNaNElem(v);
    return holds(compareElems(v, operand));
  });
}

const isNaNElem = (v: Elem): boolean =>
  v.t === T.double ? Number.isNaN(v.b.readDoubleLE(v.s)) : v.t === T.decimal && keyOf(v)[0] === 0x0e;

const SMALL_LIST = 8;

/** `$in`: values, null and regular expressions. */
export function membership(path: Path, operand: Elem, name: string): Pred {
  if (operand.t !== T.array) throw badValue(`${name} needs an array`);
  const list = items(operand);
  if (list.some((v) => v.t === T.object && v.b[v.s + 5] === 0x24)) throw badValue(`cannot nest $ under ${name}`);
  const regexes = list.filter((v) => v.t === T.regex).map(regexTest);
  const hasNull = list.some(isNull);
  const test = list.length <= SMALL_LIST ? linear(list) : hashed(list);
  return pred(path, '$in', operand, true, (v) => {
    if (hasNull && isNull(v)) return true;
    return v !== undefined && (test(v) || regexes.some((r) => r(v)));
  });
}

const linear =
  (list: readonly Elem[]) =>
  (v: Elem): boolean =>
    list.some((x) => equalElems(x, v));

function hashed(list: readonly Elem[]): (v: Elem) => boolean {
  const keys = new Set(list.map((v) => keyOf(v).toString('latin1')));
  return (v) => keys.has(keyOf(v).toString('latin1'));
}

/** `{ a: /x/ }`: matches text, and the same regular expression stored as a value. */
export function regexEquality(path: Path, operand: Elem): Pred {
  return pred(path, '$regex', operand, true, regexTest(operand));
}

function regexTest(operand: Elem): Test {
  const { pattern, flags } = regexOf(operand);
  const test = textTest(compileRegex(pattern, flags));
  return (v) => v !== undefined && (test(v) || (v.t === T.regex && equalElems(v, operand)));
}

/** Whether a value is a text that matches. The test throws 51156 when a text takes too long. */
export function textTest(regex: RegExp): (v: Elem) => boolean {
  const test = boundedTest(
    regex,
    () =>
      new ServerError(51156, 'Error occurred while executing regular expression. Result code: match limit exceeded'),
  );
  return (v) => (v.t === T.string || v.t === T.symbol) && test(textOf(v));
}

/** A PCRE pattern as a JavaScript one. Throws 51091 for patterns that do not compile. */
export function compileRegex(pattern: string, options: string): RegExp {
  let source = pattern;
  let flags = options;
  const inline = /^\(\?([imsx]+)\)/.exec(source);
  if (inline !== null) {
    source = source.slice(inline[0].length);
    flags += inline[1] ?? '';
  }
  for (const flag of flags)
    if (!'imsxu'.includes(flag)) throw new ServerError(51108, `invalid flag in regex options: ${flag}`);
  if (flags.includes('x'))
    source = source.replace(/\\.|\[(?:\\.|[^\]])*\]|\s+|#.*/g, (m) => (/^[\s#]/.test(m) ? '' : m));
  if (!flags.includes('m')) source = source.replace(/\\[AZz]/g, (m) => (m === '\\A' ? '^' : '$'));
  const jsFlags = [...new Set(flags)].filter((f) => 'ims'.includes(f)).join('');
  try {
    return new RegExp(source, `${jsFlags}u`);
  } catch {
    return compileLoose(source, jsFlags);
  }
}

function compileLoose(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw new ServerError(51091, `Regular expression is invalid: ${error instanceof Error ? error.message : ''}`);
  }
}

export const not = (node: Node): Node => ({ k: 'not', node });
