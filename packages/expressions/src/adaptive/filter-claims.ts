import { LIMITS } from '../limits.js';
import { isPlainObject, type Value } from '../value.js';
import {
  type AdaptiveSchema,
  type ArrayProperty,
  type ItemProperty,
  type ObjectProperty,
  type Property,
  UNSIGNED,
} from './schema.js';

/** The claims of a visitor, by name. */
export type Claims = Readonly<Record<string, Value>>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isPlainObject(value);

const matches = (property: ItemProperty, value: unknown): value is boolean | number | string => {
  switch (property.type) {
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' && Number.isFinite(value);
    case 'string':
      return typeof value === 'string' && (property.enum?.includes(value) ?? true);
  }
};

const filterArray = ({ items }: ArrayProperty, value: unknown): Value => {
  if (!Array.isArray(value) || value.length > LIMITS.arrayLength) return undefined;
  const elements: readonly unknown[] = value;
  if (!elements.every((element) => matches(items, element))) return undefined;
  if (items.type !== 'string' || items.enum === undefined) return elements;
  const present = new Set(elements);
  return items.enum.filter((element) => present.has(element));
};

const filterObject = ({ properties }: ObjectProperty, value: unknown): Claims | undefined => {
  if (!isObject(value)) return undefined;
  const kept: [string, Value][] = [];
  for (const [name, property] of properties) {
    const claim = Object.hasOwn(value, name) ? filterValue(property, value[name]) : undefined;
    if (claim !== undefined) kept.push([name, claim]);
  }
  return Object.fromEntries(kept);
};

const filterValue = (property: Property, value: unknown): Value => {
  if (property.type === 'object') return filterObject(property, value);
  if (property.type === 'array') return filterArray(property, value);
  return matches(property, value) ? value : undefined;
};

/**
 * The claims that the schema declares, with the type that it declares; the rest is dropped. One element of another
 * type drops its whole array. A set (an array of enumerated text) comes out in the schema's order, each value once,
 * so that equal sets are equal claims. `unsigned` is always there, so that a condition may read below it.
 * @param claims anything; what is not an object holds no claims
 */
export const filterClaims = ({ root }: AdaptiveSchema, claims: unknown): Claims => ({
  [UNSIGNED]: {},
  ...filterObject(root, claims),
});

/**
 * Joins claims of both origins in the form that conditions see. Signed claims cannot come from the unsigned side, and
 * a signed claim named `unsigned` is dropped.
 */
export const joinClaims = (signed: Claims, unsigned: Claims): Claims => ({ ...signed, [UNSIGNED]: unsigned });
