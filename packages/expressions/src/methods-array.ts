import { admit, readProperty } from './access.js';
import { joinText, sameValueZero, toNumber, toText } from './convert.js';
import { type Range } from './error.js';
import { COST } from './limits.js';
import { type Runtime, spend } from './runtime.js';
import { type Value } from './value.js';

/** ECMAScript's ToIntegerOrInfinity on an argument; an absent one is 0. */
export const toInteger = (runtime: Runtime, value: Value, where: Range): number =>
  value === undefined ? 0 : Math.trunc(toNumber(runtime, value, where)) || 0;

/** Whether an element equals `wanted`, from a position on; a negative one counts from the end. */
export const arrayIncludes = (
  runtime: Runtime,
  array: readonly Value[],
  wanted: Value,
  from: number,
  where: Range,
): boolean => {
  spend(runtime, Math.ceil(array.length / COST.elementsPerStep), where);
  const first = from < 0 ? Math.max(0, array.length + from) : from;
  for (let position = first; position < array.length; position++) {
    if (sameValueZero(runtime, array[position], wanted, where)) return true;
  }
  return false;
};

type ArrayMethod = (runtime: Runtime, array: readonly Value[], args: readonly Value[], where: Range) => Value;

export const ARRAY_METHODS: ReadonlyMap<string, ArrayMethod> = new Map<string, ArrayMethod>([
  [
    'at',
    (runtime, array, [position], where) => {
      const index = toInteger(runtime, position, where);
      return readProperty(runtime, array, index < 0 ? array.length + index : index, where);
    },
  ],
  [
    'includes',
    (runtime, array, [wanted, from], where) =>
      arrayIncludes(runtime, array, wanted, toInteger(runtime, from, where), where),
  ],
  [
    'join',
    (runtime, array, [separator], where) =>
      joinText(runtime, array, separator === undefined ? ',' : toText(runtime, separator, where), where),
  ],
]);

/** A callback of an array method, applied to the element at a position. */
type Apply = (element: Value, position: number) => Value;

type CallbackMethod = (runtime: Runtime, array: readonly Value[], apply: Apply, where: Range) => Value;

type Visit = (element: Value, result: Value) => boolean;

/** Applies the callback to element after element, until `visit` says that this was enough. */
const walk = (runtime: Runtime, array: readonly Value[], apply: Apply, where: Range, visit: Visit): void => {
  for (let position = 0; position < array.length; position++) {
    const element = readProperty(runtime, array, position, where);
    if (visit(element, apply(element, position))) return;
  }
};

const some: CallbackMethod = (runtime, array, apply, where) => {
  let found = false;
  walk(runtime, array, apply, where, (_element, result) => (found = Boolean(result)));
  return found;
};

const every: CallbackMethod = (runtime, array, apply, where) => {
  let failed = false;
  walk(runtime, array, apply, where, (_element, result) => (failed = !result));
  return !failed;
};

const map: CallbackMethod = (runtime, array, apply, where) => {
  const results: Value[] = [];
  walk(runtime, array, apply, where, (_element, result) => {
    results.push(result);
    return false;
  });
  return admit(runtime, results, where);
};

const filter: CallbackMethod = (runtime, array, apply, where) => {
  const kept: Value[] = [];
  walk(runtime, array, apply, where, (element, result) => {
    if (result) kept.push(element);
    return false;
  });
  return kept;
};

const find: CallbackMethod = (runtime, array, apply, where) => {
  let found: Value;
  walk(runtime, array, apply, where, (element, result) => {
    if (result) found = element;
    return Boolean(result);
  });
  return found;
};

export const CALLBACK_METHODS: ReadonlyMap<string, CallbackMethod> = new Map([
  ['some', some],
  ['every', every],
  ['map', map],
  ['filter', filter],
  ['find', find],
]);
