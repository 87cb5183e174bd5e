/** What an expression reads and yields: JSON, plus `undefined` for what is absent. There are no function values. */
export type Value = undefined | null | boolean | number | string | readonly Value[] | { readonly [key: string]: Value };

/** The variables an expression sees, by name. Only own properties are read. */
export type Scope = object;

/**
 * Whether an object is a JSON object: its prototype is null or a root prototype. The second case is written without
 * naming `Object.prototype`, so that objects of another realm (a worker, a `vm` context) count as plain as well.
 */
export const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/** A value's kind as it is named in messages. */
export const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};
