import { refusal } from './refusal.js';
import { partOf, type Attribute, type Fields, type Part } from './resource.js';

/**
 * A value of a caller as it is kept; undefined for one that is removed.
 * @throws AppError `invalidValue` that names the attribute
 */
export function valueOf(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (attribute.kind === 'list') return (Array.isArray(value) ? value : [value]).map((each) => itemOf(attribute, each));
  return attribute.kind === 'object' ? partsOf(attribute, value) : plainValueOf(attribute, value);
}

/** One value of a list. Some providers send the value alone instead of an object with it. */
export function itemOf(attribute: Attribute, value: unknown): Fields {
  return typeof value === 'string' ? { value } : partsOf(attribute, value);
}

/** The known parts of a complex value. */
export function partsOf(attribute: Attribute, value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw refusal('invalidValue', `${attribute.name} must be an object`);
  const fields: Fields = {};
  for (const [key, each] of Object.entries(value)) {
    const part = partOf(attribute, key);
    if (part !== undefined && each !== null && each !== undefined)
      fields[part.name] = plainValueOf(part, each, `${attribute.name}.`);
  }
  return fields;
}

/** A text or a truth value. Entra sends truth values as "True" and "False". */
export function plainValueOf({ name, kind }: Attribute | Part, value: unknown, within = ''): string | boolean {
  if (kind !== 'truth') {
    if (typeof value === 'string') return value;
    throw refusal('invalidValue', `${within}${name} must be a text`);
  }
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'true' || word === 'false') return word === 'true';
  throw refusal('invalidValue', `${within}${name} must be true or false`);
}
