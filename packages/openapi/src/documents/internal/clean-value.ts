import { isMembers, listOf, members, type Members } from '../../text/values.js';
import { follow, refOf } from '../pointers.js';

/** What is known of a document that has internal parts. */
export interface Internal {
  root: Members;
  isGone: (value: unknown) => boolean;
  /** What is, holds, or refers to something internal. */
  reached: ReadonlySet<unknown>;
  step: () => void;
}

/** A value that is being cleaned. */
interface Cleaning extends Internal {
  /** The schemas with which parts of the value were looked at. */
  seen: Map<unknown, Set<unknown>>;
}

/**
 * Takes internal properties out of a value that somebody wrote for a schema. The value is changed; `false` when it
 * cannot be told what of it is internal, so that nobody may see it.
 */
export function cleanValue(internal: Internal, schema: unknown, value: unknown): boolean {
  return clean({ ...internal, seen: new Map() }, schema, value);
}

/** `isPart`: the schema is one of those that the schema of the value is made of. */
function clean(cleaning: Cleaning, schema: unknown, value: unknown, isPart = false): boolean {
  if (!cleaning.reached.has(schema)) return true;
  cleaning.step();
  if (cleaning.isGone(schema)) return false;
  // A text may be the whole object, written as JSON or XML.
  if (typeof value === 'string') return false;
  if (typeof value !== 'object' || value === null || isKnown(cleaning, schema, value)) return true;
  const [described, given] = [members(schema), value];
  return isCleanAsWhole(cleaning, described, given, isPart) && cleanMembers(cleaning, described, given);
}

function isKnown({ seen }: Cleaning, schema: unknown, value: unknown): boolean {
  const known = seen.get(value) ?? new Set();
  seen.set(value, known);
  const isSeen = known.has(schema);
  known.add(schema);
  return isSeen;
}

/** Schemas that speak of the same value. */
function isCleanAsWhole(cleaning: Cleaning, schema: Members, value: object, isPart: boolean): boolean {
  const { root, reached } = cleaning;
  if (refOf(schema) !== null && !clean(cleaning, follow(root, schema), value, isPart)) return false;
  if (unsure.some((keyword) => reached.has(schema[keyword]))) return false;
  // Which heir of a schema a value is, is not told, unless it is that of an heir.
  if (!isPart && reached.has(schema['discriminator'])) return false;
  return (
    listOf(schema['allOf']).every((part) => clean(cleaning, part, value, isHeir(schema))) &&
    ['oneOf', 'anyOf'].every((keyword) => isCleanAsOne(cleaning, listOf(schema[keyword]), value))
  );
}

/** Which of several schemas a value has is not told, unless there is only one beside `null`. */
function isCleanAsOne(cleaning: Cleaning, alternatives: readonly unknown[], value: object): boolean {
  if (!alternatives.some((one) => cleaning.reached.has(one))) return true;
  const [only, ...more] = alternatives.filter((one) => members(one)['type'] !== 'null');
  return more.length === 0 && clean(cleaning, only, value);
}

function cleanMembers(cleaning: Cleaning, schema: Members, value: object): boolean {
  const holds = (...keywords: string[]) => keywords.some((keyword) => cleaning.reached.has(schema[keyword]));
  if (!Array.isArray(value))
    return !holds('items', 'prefixItems') && cleanProperties(cleaning, schema, value as Record<string, unknown>);
  if (holds('properties', 'additionalProperties')) return false;
  const first = listOf(schema['prefixItems']);
  return value.every((item, index) => clean(cleaning, index < first.length ? first[index] : schema['items'], item));
}

function cleanProperties(cleaning: Cleaning, schema: Members, value: Record<string, unknown>): boolean {
  const properties = members(schema['properties']);
  return Object.keys(value).every((name) => {
    if (!Object.hasOwn(properties, name)) return clean(cleaning, schema['additionalProperties'], value[name]);
    if (!cleaning.isGone(properties[name])) return clean(cleaning, properties[name], value[name]);
    delete value[name];
    return true;
  });
}

/** Whether a schema adds something to those that it is made of. */
function isHeir(schema: Members): boolean {
  return [schema, ...listOf(schema['allOf'])].some((part) => isMembers(members(part)['properties']));
}

/** Keywords under which a part may or may not count for a value. */
const unsure = [
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
  'patternProperties',
  'propertyNames',
  'contains',
  'unevaluatedProperties',
  'unevaluatedItems',
  'additionalItems',
];
