import { isMembers, members, type Members } from '../../text/values.js';
import { sameValue } from './schema-parts.js';

/**
 * Takes the names of internal properties out of a schema, and out of all schemas that speak of the same value:
 * another part of an `allOf` may require what the first one marks. The value is changed.
 */
export function forgetProperties(
  root: Members,
  schema: Members,
  isGone: (value: unknown) => boolean,
  step: () => void,
): void {
  const parts = sameValue(root, schema, step);
  const names = new Set<string>();
  for (const part of parts)
    for (const [name, property] of Object.entries(members(part['properties']))) if (isGone(property)) names.add(name);
  if (names.size === 0) return;
  for (const part of parts) {
    const own = members(part['properties']);
    const isNamed = (name: unknown) =>
      names.has(String(name)) && !(Object.hasOwn(own, String(name)) && !isGone(own[String(name)]));
    forgetIn(part, isNamed);
  }
}

function forgetIn(schema: Record<string, unknown>, isNamed: (name: unknown) => boolean): void {
  withoutItems(schema, 'required', isNamed);
  const discriminator = schema['discriminator'];
  if (isNamed(isMembers(discriminator) ? discriminator['propertyName'] : discriminator)) delete schema['discriminator'];
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    const map = schema[keyword];
    if (!isMembers(map)) continue;
    const object = map as Record<string, unknown>;
    for (const name of Object.keys(object)) {
      if (isNamed(name)) delete object[name];
      else withoutItems(object, name, isNamed);
    }
    if (Object.keys(object).length === 0) delete schema[keyword];
  }
}

/** Takes items out of a list, and the list out of its object when nothing is left of it. */
export function withoutItems(object: Record<string, unknown>, name: string, isItem: (item: unknown) => boolean): void {
  const list = object[name];
  if (!Array.isArray(list)) return;
  const kept = list.filter((item) => !isItem(item));
  if (kept.length === list.length) return;
  if (kept.length === 0) delete object[name];
  else object[name] = kept;
}
