import { entriesOf, isMembers, listOf, members, setMember, type Members } from '../text/values.js';
import { mergedSchemas } from './merged-schemas.js';

/**
 * A schema without what makes the library write to the console: parts of `allOf` of different types, and lengths of
 * dates. The parts are put together here.
 */
export function plainSchema(schema: Record<string, unknown>): Record<string, unknown> {
  const { allOf, ...rest } = schema;
  const parts = listOf(allOf).map(members);
  const merged = parts.reduceRight<Record<string, unknown>>((later, part) => mergedSchemas(part, later), rest);
  const whole = parts.length === 0 || ownExample(rest) !== undefined ? merged : withExamplesOfParts(merged, parts);
  if (whole['format'] === 'date-time') {
    delete whole['minLength'];
    delete whole['maxLength'];
  }
  return whole;
}

/** The example of a part says nothing of what the others require: it becomes the examples of its properties. */
function withExamplesOfParts(whole: Record<string, unknown>, parts: readonly Members[]): Record<string, unknown> {
  const examples = parts.map(ownExample).filter(isMembers);
  if (examples.length === 0) return whole;
  const { example: _example, examples: _examples, ...rest } = whole;
  const properties = { ...members(whole['properties']) };
  for (const [name, value] of examples.flatMap(entriesOf))
    setMember(properties, name, { ...members(own(properties, name)), example: value });
  for (const name of listOf(whole['required']))
    if (typeof name === 'string' && !Object.hasOwn(properties, name)) setMember(properties, name, {});
  return { ...rest, properties };
}

function ownExample({ example, examples }: Members): unknown {
  return example ?? listOf(examples)[0];
}

function own(object: Members, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
