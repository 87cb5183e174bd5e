/** Any JSON value. Values that are read from a tree are shared between readers and must not be changed. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** How deep arrays and objects may stand inside one another in a value. */
export const DEEPEST = 64;

/** Thrown for what is not JSON; callers turn it into an error that names the key. */
export class NotJsonError extends Error {}

/**
 * JSON with the members of every object in the order of their names' code units, as RFC 8785 has it, so that equal values have
 * equal texts. Members that are `undefined` do not count, and -0 is 0. Throws `NotJsonError` for what JSON cannot say.
 */
export function canonical(value: unknown, deepest = DEEPEST): string {
  return isOrdered(value, deepest) ? JSON.stringify(value) : ordered(value, deepest);
}

/** Whether two values say the same, whatever the order of their members. */
export const isSame = (left: unknown, right: unknown): boolean =>
  left === right || canonical(left) === canonical(right);

/** Whether plain `JSON.stringify` gives the canonical text: true for all that was read from one. */
function isOrdered(value: unknown, deepest: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || deepest <= 0 || 'toJSON' in value) return false;
  if (Array.isArray(value)) return value.every((item) => isOrdered(item, deepest - 1)) && !isSparse(value);
  return isPlain(value) && areOrdered(value, deepest - 1);
}

const isSparse = (items: readonly unknown[]): boolean => Object.keys(items).length !== items.length;

/** By its tag, not by its prototype: plain objects of other realms (workers, copies) are plain, too. */
const isPlain = (value: object): value is Readonly<Record<string, unknown>> =>
  Object.prototype.toString.call(value) === '[object Object]';

function areOrdered(members: Readonly<Record<string, unknown>>, deepest: number): boolean {
  let previous = '';
  for (const name of Object.keys(members)) {
    // Names that are numbers come first in an object, whatever their order.
    if (name < previous || isDigit(name.charCodeAt(0)) || !isOrdered(members[name], deepest)) return false;
    previous = name;
  }
  return true;
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

function ordered(value: unknown, deepest: number): string {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return JSON.stringify(value);
  if (typeof value !== 'object') throw new NotJsonError(`${typeof value} ${String(value)} is not JSON`);
  if (deepest <= 0) throw new NotJsonError(`it has more than ${DEEPEST} levels of arrays and objects`);
  if (Array.isArray(value)) return `[${Array.from(value, (item) => ordered(item, deepest - 1)).join(',')}]`;
  if (!isPlain(value)) throw new NotJsonError('it holds an object that is not plain');
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${ordered(value[name], deepest - 1)}`);
  return `{${members.join(',')}}`;
}
