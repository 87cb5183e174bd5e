import { type Range } from './error.js';
import { FORBIDDEN_NAMES, LIMITS } from './limits.js';
import { toText } from './convert.js';
import { halt, type Runtime } from './runtime.js';
import { isPlainObject, kindOf, type Value } from './value.js';

/** The own property or element; `key` is already known to be no forbidden name. `undefined` when there is none. */
export const readProperty = (runtime: Runtime, object: Value, key: string | number, where: Range): Value => {
  if (typeof object === 'object' && object !== null) {
    return Object.hasOwn(object, key)
      ? admit(runtime, (object as Readonly<Record<string | number, unknown>>)[key], where)
      : undefined;
  }
  if (typeof object === 'string') return readCharacter(object, key);
  if (object === undefined || object === null)
    return halt(runtime, 'no_value', `Cannot read ${key} of ${String(object)}`, where);
  return undefined;
};

const readCharacter = (text: string, key: string | number): Value => {
  if (key === 'length') return text.length;
  return Object.hasOwn(Object(text) as object, key) ? text[key as number] : undefined;
};

/**
 * Lets a value of the host in: JSON passes, anything else (a function, a symbol, an instance of a class) stops the
 * evaluation, so that no operation ever meets it.
 */
export const admit = (runtime: Runtime, value: unknown, where: Range): Value => {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' || value == null)
    return value;
  if (typeof value !== 'object') return halt(runtime, 'foreign_value', `A ${typeof value} cannot be used here`, where);
  if (Array.isArray(value)) {
    if (value.length <= LIMITS.arrayLength) return value as readonly Value[];
    return halt(runtime, 'limit', `An array has at most ${LIMITS.arrayLength} elements`, where);
  }
  if (isPlainObject(value)) return value as { readonly [key: string]: Value };
  return halt(runtime, 'foreign_value', 'An object that is not plain data cannot be used here', where);
};

/** A computed key as it is looked up, once and for all converted, and checked as converted. */
export const toKey = (runtime: Runtime, value: Value, where: Range): string | number => {
  if (typeof value === 'number') return value;
  const key = typeof value === 'string' ? value : toText(runtime, value, where);
  if (FORBIDDEN_NAMES.has(key)) return halt(runtime, 'forbidden_name', `The name ${key} is not allowed`, where);
  return key;
};

/** The value as an array, or a stop that names what it is instead. */
export const expectArray = (runtime: Runtime, value: Value, where: Range): readonly Value[] =>
  Array.isArray(value)
    ? (value as readonly Value[])
    : halt(runtime, 'wrong_type', `Expected an array, found ${kindOf(value)}`, where);
