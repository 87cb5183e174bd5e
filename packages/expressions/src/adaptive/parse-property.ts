import { FORBIDDEN_NAMES } from '../limits.js';
import { isPlainObject } from '../value.js';
import { below, type Report } from './report.js';
import {
  type ArrayProperty,
  type ItemProperty,
  type ObjectProperty,
  type Property,
  SCHEMA_LIMITS,
  type StringProperty,
  UNSIGNED,
} from './schema.js';

/** Where parsing stands. */
interface Place {
  readonly pointer: string;
  readonly depth: number;
  readonly report: Report;
  /** Keywords accepted here beside those of the type. */
  readonly keywords?: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && isPlainObject(value);

const refuseKeywords = (json: Json, accepted: readonly string[], { pointer, report, keywords = [] }: Place): void => {
  for (const keyword of Object.keys(json)) {
    if (!accepted.includes(keyword) && !keywords.includes(keyword))
      report.add(below(pointer, keyword), 'this keyword is not accepted here');
  }
};

const description = (json: Json, { pointer, report }: Place): { readonly description?: string } => {
  const text = json['description'];
  if (text === undefined) return {};
  if (typeof text === 'string' && text.length <= SCHEMA_LIMITS.descriptionLength) return { description: text };
  report.add(below(pointer, 'description'), `must be text of at most ${SCHEMA_LIMITS.descriptionLength} characters`);
  return {};
};

const isEnumValue = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= SCHEMA_LIMITS.enumValueLength;

const parseEnum = (json: Json, { pointer, report }: Place): { readonly enum?: readonly string[] } => {
  const values: unknown = json['enum'];
  if (values === undefined) return {};
  const place = below(pointer, 'enum');
  if (!Array.isArray(values) || values.length === 0 || values.length > SCHEMA_LIMITS.enumValues) {
    report.add(place, `must be a list of 1 to ${SCHEMA_LIMITS.enumValues} values`);
    return {};
  }
  if (!values.every(isEnumValue))
    report.add(place, `every value must be text of at most ${SCHEMA_LIMITS.enumValueLength} characters`);
  if (new Set(values).size !== values.length) report.add(place, 'every value must occur once');
  return { enum: values.filter(isEnumValue) };
};

const parseString = (json: Json, place: Place): StringProperty => {
  refuseKeywords(json, ['type', 'description', 'enum', 'default'], place);
  const property: StringProperty = { type: 'string', ...description(json, place), ...parseEnum(json, place) };
  const preset = json['default'];
  if (preset === undefined) return property;
  if (isEnumValue(preset) && (property.enum?.includes(preset) ?? true)) return { ...property, default: preset };
  place.report.add(below(place.pointer, 'default'), 'must be text, and one of the values when they are enumerated');
  return property;
};

const parseItem = (json: Json, place: Place): ItemProperty | undefined => {
  const type = json['type'];
  if (type === 'string') return parseString(json, place);
  if (type !== 'boolean' && type !== 'number') return undefined;
  refuseKeywords(json, ['type', 'description'], place);
  return { type, ...description(json, place) };
};

const parseArray = (json: Json, place: Place): ArrayProperty | undefined => {
  refuseKeywords(json, ['type', 'description', 'items'], place);
  const pointer = below(place.pointer, 'items');
  const { items } = json;
  const parsed = isObject(items) ? parseItem(items, { pointer, depth: place.depth, report: place.report }) : undefined;
  if (parsed === undefined) return place.report.add(pointer, 'must be of type boolean, string or number');
  return { type: 'array', ...description(json, place), items: parsed };
};

const parseProperty = (json: unknown, place: Place): Property | undefined => {
  if (!isObject(json)) return place.report.add(place.pointer, 'must be an object');
  if (json['type'] === 'array') return parseArray(json, place);
  if (json['type'] === 'object') return parseObject(json, place);
  return (
    parseItem(json, place) ??
    place.report.add(below(place.pointer, 'type'), 'must be boolean, string, number, array or object')
  );
};

const checkName = (name: string, pointer: string, { depth, report }: Place): boolean => {
  if (FORBIDDEN_NAMES.has(name)) report.add(pointer, 'this name cannot be used in conditions');
  else if (name.length === 0 || name.length > SCHEMA_LIMITS.nameLength)
    report.add(pointer, `a name has 1 to ${SCHEMA_LIMITS.nameLength} characters`);
  else if (depth > SCHEMA_LIMITS.depth)
    report.add(pointer, `properties stand at most ${SCHEMA_LIMITS.depth} levels deep`);
  else return true;
  return false;
};

const parseProperties = (json: Json, place: Place): ReadonlyMap<string, Property> => {
  const parsed = new Map<string, Property>();
  for (const name of Object.keys(json)) {
    const child = { pointer: below(place.pointer, name), depth: place.depth + 1, report: place.report };
    if (!place.report.countProperty()) {
      place.report.add(place.pointer, `there may be at most ${SCHEMA_LIMITS.properties} properties`);
      break;
    }
    if (!checkName(name, child.pointer, child)) continue;
    const property = parseProperty(json[name], child);
    if (property === undefined) continue;
    if (place.depth === 0 && name === UNSIGNED && property.type !== 'object')
      place.report.add(child.pointer, 'must be of type object');
    parsed.set(name, property);
  }
  return parsed;
};

/** Checks an object property, or the root of a schema; what is wrong goes to the report. */
export const parseObject = (json: unknown, place: Place): ObjectProperty | undefined => {
  const { pointer, report } = place;
  if (!isObject(json)) return report.add(pointer, 'must be an object');
  refuseKeywords(json, ['type', 'description', 'properties', 'additionalProperties'], place);
  if (json['type'] !== 'object') report.add(below(pointer, 'type'), 'must be object');
  const additional = json['additionalProperties'];
  if (additional !== undefined && additional !== false)
    report.add(below(pointer, 'additionalProperties'), 'must be false');
  const { properties } = json;
  if (!isObject(properties)) return report.add(below(pointer, 'properties'), 'must be an object');
  const parsed = parseProperties(properties, { pointer: below(pointer, 'properties'), depth: place.depth, report });
  return { type: 'object', ...description(json, place), properties: parsed };
};
