import { mappedRef, refOf } from '../documents/pointers.js';
import { schemaKey } from '../slices/schema-key.js';
import { entriesOf, isMembers, lineOf, listOf, members, setMember, type Members } from '../text/values.js';

/**
 * The options of a schema, each with the value by which the discriminator tells it from the others. `given`: the same
 * schema with its references, by which the options are known.
 */
export function withDiscriminators(schema: Record<string, unknown>, given: unknown): Record<string, unknown> {
  if (!isMembers(schema['discriminator'])) return schema;
  const named: Record<string, unknown> = {};
  for (const kind of ['oneOf', 'anyOf']) {
    const refs = listOf(members(given)[kind]).map(refOf);
    const options = listOf(schema[kind]).map((option, index) => told(schema, members(option), refs[index] ?? null));
    if (options.length > 0) named[kind] = options;
  }
  return { ...schema, ...named };
}

/** A schema whose own discriminator, or that of a part, tells it from others that have the same part. */
export function withOwnName(schema: Members, ref: string): Members {
  const isChoice = schema['oneOf'] !== undefined || schema['anyOf'] !== undefined;
  return isChoice ? schema : told(schema, schema, ref);
}

/** An option with the value that `holder` knows it by. What the option says itself is not touched. */
function told(holder: Members, option: Members, ref: string | null): Members {
  const discriminator = members(holder['discriminator']);
  const property = lineOf(discriminator['propertyName']);
  if (property === '' || ref === null) return option;
  const mapped = entriesOf(discriminator['mapping']).find(([, to]) => typeof to === 'string' && mappedRef(to) === ref);
  const value = mapped?.[0] ?? schemaKey(ref);
  const properties = { ...members(option['properties']) };
  const known = Object.hasOwn(properties, property) ? members(properties[property]) : {};
  const values = listOf(known['enum']);
  if (known['const'] !== undefined || (values.length > 0 && !values.includes(value))) return option;
  setMember(properties, property, { ...known, example: value });
  return { ...option, properties };
}
