import { type Range } from './error.js';
import { COST, LIMITS } from './limits.js';
import { halt, type Runtime, spend } from './runtime.js';
import { type Value } from './value.js';

export type Primitive = undefined | null | boolean | number | string;

const isObject = (value: Value): value is Exclude<Value, Primitive> => typeof value === 'object' && value !== null;

/** Pays for characters that are read or written. */
export const spendCharacters = (runtime: Runtime, characters: number, where: Range): void => {
  if (characters >= COST.charactersPerStep) spend(runtime, Math.floor(characters / COST.charactersPerStep), where);
};

const arrayToText = (
  runtime: Runtime,
  array: readonly Value[],
  separator: string,
  where: Range,
  depth: number,
): string => {
  if (depth > LIMITS.textDepth) return halt(runtime, 'limit', 'An array is nested too deeply to be text', where);
  let text = '';
  for (let position = 0; position < array.length; position++) {
    spend(runtime, 1, where);
    const item = array[position];
    const part = item == null ? '' : deepText(runtime, item, where, depth + 1);
    spendCharacters(runtime, part.length + separator.length, where);
    text += position === 0 ? part : separator + part;
  }
  return text;
};

/**
 * An object's text is ECMAScript's for plain data. One with its own `toString` has none: the language would call it.
 */
const deepText = (runtime: Runtime, value: unknown, where: Range, depth: number): string => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function' || typeof value === 'symbol')
      return halt(runtime, 'foreign_value', 'This has no text', where);
    return String(value);
  }
  if (Array.isArray(value)) return arrayToText(runtime, value as readonly Value[], ',', where, depth);
  if (Object.hasOwn(value, 'toString'))
    return halt(runtime, 'wrong_type', 'An object with its own toString has no text', where);
  return '[object Object]';
};

/** ECMAScript's `String(value)` for JSON values, without ever calling anything of the value. */
export const toText = (runtime: Runtime, value: Value, where: Range): string => deepText(runtime, value, where, 0);

/** Elements as text with a separator between them; null and undefined are empty. */
export const joinText = (runtime: Runtime, array: readonly Value[], separator: string, where: Range): string =>
  arrayToText(runtime, array, separator, where, 0);

/** ECMAScript's conversion of operands: arrays and objects become text, everything else stays. */
export const toPrimitive = (runtime: Runtime, value: Value, where: Range): Primitive =>
  isObject(value) ? toText(runtime, value, where) : value;

/** ECMAScript's `Number(value)`. */
export const toNumber = (runtime: Runtime, value: Value, where: Range): number => {
  if (typeof value === 'number') return value;
  const primitive = toPrimitive(runtime, value, where);
  if (typeof primitive === 'string') spendCharacters(runtime, primitive.length, where);
  return Number(primitive);
};

const spendComparison = (runtime: Runtime, left: Value, right: Value, where: Range): void => {
  if (typeof left === 'string' && typeof right === 'string')
    spendCharacters(runtime, Math.min(left.length, right.length), where);
};

/** `===` */
export const strictEquals = (runtime: Runtime, left: Value, right: Value, where: Range): boolean => {
  spendComparison(runtime, left, right, where);
  return left === right;
};

/** `==` */
export const looseEquals = (runtime: Runtime, left: Value, right: Value, where: Range): boolean => {
  if (isObject(left) === isObject(right)) {
    spendComparison(runtime, left, right, where);
    return isObject(left) ? left === right : loosely(runtime, left, right as Primitive, where);
  }
  if (left == null || right == null) return false;
  return loosely(runtime, toPrimitive(runtime, left, where), toPrimitive(runtime, right, where), where);
};

/** Of different types, null and undefined equal each other alone; the rest is compared as numbers. */
const loosely = (runtime: Runtime, left: Primitive, right: Primitive, where: Range): boolean => {
  if (typeof left === typeof right) return left === right;
  if (left == null || right == null) return left == null && right == null;
  return toNumber(runtime, left, where) === toNumber(runtime, right, where);
};

export type Ordering = 'less' | 'equal' | 'greater' | 'none';

const order = <T extends string | number>(left: T, right: T): Ordering => {
  if (left < right) return 'less';
  if (left > right) return 'greater';
  return left === right ? 'equal' : 'none';
};

/**
 * How two values stand for `<`, `<=`, `>`, `>=`: two strings by code units, anything else as numbers; `none` with NaN.
 */
export const compare = (runtime: Runtime, left: Value, right: Value, where: Range): Ordering => {
  const first = toPrimitive(runtime, left, where);
  const second = toPrimitive(runtime, right, where);
  spendComparison(runtime, first, second, where);
  if (typeof first === 'string' && typeof second === 'string') return order(first, second);
  return order(toNumber(runtime, first, where), toNumber(runtime, second, where));
};

/** The equality of `includes`: `===`, and NaN equals itself. */
export const sameValueZero = (runtime: Runtime, left: Value, right: Value, where: Range): boolean =>
  strictEquals(runtime, left, right, where) || (left !== left && right !== right);
