/** Any JSON value. Values that are read from a tree are shared between readers and must not be changed. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** How deep arrays and objects may stand inside one another in a value. */
export const DEEPEST = 64;

/** Thrown for what is not JSON; callers turn it into an error that names the key. */
export class NotJsonError extends Error {}

/**
 * JSON with the members of every object in the order of their names' code units, as RFC 8785 has it, so that equal
 * values have equal texts. Members that are `undefined` do not count, and -0 is 0. Throws `NotJsonError` for what JSON
 * cannot say.
 */
export function canonical(value: unknown, deepest = DEEPEST): string {
  return isOrdered(value, deepest) ? JSON.stringify(value) : textOf(copyOf(value, deepest));
}

/** Whether two values say the same, whatever the order of their members; `undefined` stands for none. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right || left === undefined || right === undefined) return left === right;
  // One level more: entries are compared, too.
  return canonical(left, DEEPEST + 1) === canonical(right, DEEPEST + 1);
}

/** Whether plain `JSON.stringify` gives the canonical text: true for all that was read from one. */
function isOrdered(value: unknown, deepest: number): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || deepest <= 0 || 'toJSON' in value) return false;
  if (Array.isArray(value)) return areAllOrdered(value, deepest - 1);
  return isPlain(value) && areOrdered(value, deepest - 1);
}

/** Holes count as `undefined`, which is no JSON. */
function areAllOrdered(items: readonly unknown[], deepest: number): boolean {
  for (let at = 0; at < items.length; at++) if (!isOrdered(items[at], deepest)) return false;
  return true;
}

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

/** A copy with the members of every object in order, where an object can have them so. Throws `NotJsonError`. */
export function copyOf(value: unknown, deepest = DEEPEST): Json {
  if (typeof value !== 'object' || value === null) return checkedScalar(value);
  if (deepest <= 0) throw new NotJsonError(`it has more than ${DEEPEST} levels of arrays and objects`);
  if (Array.isArray(value)) return Array.from(value, (item) => copyOf(item, deepest - 1));
  if (!isPlain(value)) throw new NotJsonError('it holds an object that is not plain');
  const copy: Record<string, Json> = {};
  for (const name of Object.keys(value).sort()) {
    const member = value[name];
    if (member !== undefined) setMember(copy, name, copyOf(member, deepest - 1));
  }
  return copy;
}

/** Plain assignment would change the prototype where the name is `__proto__`. */
function setMember(object: Record<string, Json>, name: string, value: Json): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function checkedScalar(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value !== 'number') throw new NotJsonError(`${typeof value} is not JSON`);
  if (!Number.isFinite(value)) throw new NotJsonError(`${value} is not JSON`);
  return value === 0 ? 0 : value;
}

/** The text of a copy whose members JavaScript may keep in another order: names that are numbers come first. */
function textOf(copy: Json): string {
  if (typeof copy !== 'object' || copy === null) return JSON.stringify(copy);
  if (isList(copy)) return `[${copy.map(textOf).join(',')}]`;
  const names = Object.keys(copy).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(copy[name] ?? null)}`).join(',')}}`;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
