import {
  entriesOf,
  isMembers,
  lineOf,
  listOf,
  members,
  mergedSchemas,
  refOf,
  schemaKey,
  type Members,
} from '@scriptorium/openapi/shown';
import type { ApiTexts } from '../../texts/api/api-texts.js';
import { filled } from '../../texts/texts.js';
import type { SchemaSource } from '../render-context.js';

/** A schema as it is shown: references followed, `allOf` put together, `null` told apart. */
export interface ReadSchema {
  schema: Members;
  /** The component that it is, or that a reference names. */
  name: string | undefined;
  /** The components within which its parts stand, itself among them. */
  within: readonly string[];
  isNullable: boolean;
  /** It contains itself here, so that its parts are shown elsewhere. */
  isCircle: boolean;
}

/** What reading one card may still cost: parts that are put together. */
export interface Cost {
  parts: number;
}

const mostHops = 20;

/** Reads a schema. What cannot be found, or costs too much, is an empty one. */
export function readSchema(source: SchemaSource, given: unknown, within: readonly string[], cost: Cost): ReadSchema {
  cost.parts -= 1;
  const ref = refOf(given);
  if (ref !== null) return readReference(source, { ref, given: members(given) }, within, cost);
  const whole = withParts(source, members(given), within, cost);
  const { schema, isNullable } = withoutNull(whole);
  const only = onlyChoice(schema);
  if (only === undefined || cost.parts < 0) return { schema, name: undefined, within, isNullable, isCircle: false };
  const { oneOf: _oneOf, anyOf: _anyOf, ...rest } = schema;
  const read = readSchema(source, only, within, cost);
  return { ...read, schema: mergedSchemas(read.schema, rest), isNullable: isNullable || read.isNullable };
}

function readReference(
  source: SchemaSource,
  { ref, given }: { ref: string; given: Members },
  within: readonly string[],
  cost: Cost,
): ReadSchema {
  const name = schemaKey(ref) ?? ref;
  const found = Object.hasOwn(source.schemas, name) ? source.schemas[name] : undefined;
  const isCircle = within.includes(name);
  const nothing = { schema: {}, name, within, isNullable: false, isCircle };
  if (found === undefined || within.length > mostHops || cost.parts < 0) return { ...nothing, isCircle: false };
  const { $ref: _ref, ...own } = given;
  // What it is can be told even where its parts cannot be shown again.
  if (isCircle) return { ...nothing, name, schema: { ...withoutParts(members(found)), ...own } };
  const read = readSchema(source, found, [...within, name], cost);
  return { ...read, name, schema: Object.keys(own).length === 0 ? read.schema : mergedSchemas(read.schema, own) };
}

function withoutParts(schema: Members): Members {
  const { type, description, title } = schema;
  return Object.fromEntries(Object.entries({ type, description, title }).filter(([, value]) => value !== undefined));
}

/** The schema with the parts of its `allOf` in it. */
function withParts(source: SchemaSource, given: Members, within: readonly string[], cost: Cost): Members {
  const { allOf, ...rest } = given;
  let whole: Members = {};
  for (const part of listOf(allOf)) {
    if (cost.parts < 0) break;
    const { schema, isCircle } = readSchema(source, part, within, cost);
    if (!isCircle) whole = mergedSchemas(whole, schema);
  }
  return allOf === undefined ? given : mergedSchemas(whole, rest);
}

const isNull = (schema: unknown): boolean => members(schema)['type'] === 'null';

/** The schema without what only says that it may be `null`. */
function withoutNull(given: Members): { schema: Members; isNullable: boolean } {
  const types = [given['type']].flat();
  const schema: Record<string, unknown> = { ...given };
  let isNullable = false;
  if (types.length > 1 && types.includes('null')) {
    isNullable = true;
    const others = types.filter((type) => type !== 'null');
    schema['type'] = others.length === 1 ? others[0] : others;
  }
  for (const choice of ['oneOf', 'anyOf'] as const) {
    const options = listOf(given[choice]);
    if (!options.some(isNull) || options.length === 1) continue;
    isNullable = true;
    schema[choice] = options.filter((option) => !isNull(option));
  }
  return { schema, isNullable };
}

/** The option of a choice that is none. */
function onlyChoice({ oneOf, anyOf }: Members): unknown {
  const options = [...listOf(oneOf), ...listOf(anyOf)];
  return options.length === 1 ? options[0] : undefined;
}

/** The kinds of values that a schema has. */
export function typesOf(schema: Members): string[] {
  const types = [schema['type']].flat().filter((type) => typeof type === 'string');
  if (types.length > 0) return types;
  if (schema['properties'] !== undefined || isMembers(schema['additionalProperties'])) return ['object'];
  return schema['items'] === undefined ? [] : ['array'];
}

/** The name of a schema as it is shown; what is no component is called by the end of its reference. */
export function nameOf({ name }: Pick<ReadSchema, 'name'>): string {
  return name === undefined ? '' : lineOf(name.slice(name.lastIndexOf('/') + 1));
}

/** A property, or what stands for several: its name as it is shown. */
export interface Property {
  name: string;
  /** The name is no name, but says which ones are meant. */
  isPattern: boolean;
  isRequired: boolean;
  schema: unknown;
}

export function propertiesOf(say: ApiTexts, schema: Members): Property[] {
  const required = new Set(listOf(schema['required']));
  const named = entriesOf(schema['properties']).map(([name, property]) => ({
    name,
    isPattern: false,
    isRequired: required.has(name),
    schema: property,
  }));
  const patterns = entriesOf(schema['patternProperties']).map(([name, property]) => ({
    name: filled(say.namesThatMatch, { pattern: name }),
    isPattern: true,
    isRequired: false,
    schema: property,
  }));
  const other = schema['additionalProperties'];
  const others = { name: named.length > 0 ? say.anyOtherName : say.anyName, isPattern: true, isRequired: false };
  return [
    ...named,
    ...patterns,
    ...(isMembers(other) && Object.keys(other).length > 0 ? [{ ...others, schema: other }] : []),
  ];
}

/** The options of a schema that is one of several, and whether it can be more than one of them. */
export function choiceOf(schema: Members): { options: readonly unknown[]; isOne: boolean } | undefined {
  const oneOf = listOf(schema['oneOf']);
  const anyOf = listOf(schema['anyOf']);
  if (oneOf.length > 0) return { options: oneOf, isOne: true };
  return anyOf.length > 0 ? { options: anyOf, isOne: false } : undefined;
}
