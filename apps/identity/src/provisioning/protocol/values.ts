import { partOf, type Attribute, type Fields, type Part } from './resource.js';
import { noteWrong, type Wrong } from './wrong.js';

/** A value of a caller as it is kept; undefined for one that is removed. What has a wrong type is noted. */
export function valueOf(attribute: Attribute, value: unknown, wrong: Wrong): unknown {
  if (value === null || value === undefined) return undefined;
  const { kind, name } = attribute;
  if (kind === 'list') {
    if (!Array.isArray(value)) return [itemOf(attribute, value, wrong)];
    return value.map((each, at) => itemOf(attribute, each, wrong, `${name}.${at}`));
  }
  return kind === 'object' ? partsOf(attribute, value, wrong) : plainValueOf(attribute, value, wrong);
}

/** One value of a list. Some providers send the value alone instead of an object with it. */
export function itemOf(attribute: Attribute, value: unknown, wrong: Wrong, path = attribute.name): Fields {
  return typeof value === 'string' ? { value } : partsOf(attribute, value, wrong, path);
}

/** The known parts of a complex value. What has a wrong type is noted. `path`: of the value. */
export function partsOf(attribute: Attribute, value: unknown, wrong: Wrong, path = attribute.name): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    noteWrong(wrong, path, 'must be an object');
    return {};
  }
  const fields: Fields = {};
  for (const [key, each] of Object.entries(value)) {
    const part = partOf(attribute, key);
    if (part !== undefined && each !== null && each !== undefined)
      fields[part.name] = plainValueOf(part, each, wrong, `${path}.${part.name}`);
  }
  return fields;
}

/** A text or a truth value; undefined for another, which is noted. Entra sends truth values as "True" and "False". */
export function plainValueOf(
  { name, kind }: Attribute | Part,
  value: unknown,
  wrong: Wrong,
  path = name,
): string | boolean | undefined {
  if (kind !== 'truth') {
    if (typeof value === 'string') return value;
    noteWrong(wrong, path, 'must be a text');
    return undefined;
  }
  if (typeof value === 'boolean') return value;
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (word === 'true' || word === 'false') return word === 'true';
  noteWrong(wrong, path, 'must be true or false');
  return undefined;
}
