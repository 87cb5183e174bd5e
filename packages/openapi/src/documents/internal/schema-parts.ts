import { isMembers, type Members } from '../../text/values.js';
import { UnreadableSpecification } from '../../text/unreadable.js';
import { follow, refOf } from '../pointers.js';

/** Steps that are taken for one document: schemas that are made of each other could ask for any number. */
const mostSteps = 500_000;

/** Counts steps. @throws UnreadableSpecification when there are too many */
export function stepCounter(): () => void {
  let steps = 0;
  return () => {
    steps += 1;
    if (steps > mostSteps) throw new UnreadableSpecification('It is too complex: too much refers to what is internal');
  };
}

const lists = ['allOf', 'anyOf', 'oneOf'];
const single = ['not', 'if', 'then', 'else'];

/** Schemas that stand in another one and speak of the same value. */
function partsInPlace(schema: Members): unknown[] {
  const parts: unknown[] = [];
  for (const name of lists) if (Array.isArray(schema[name])) parts.push(...(schema[name] as unknown[]));
  for (const name of single) if (isMembers(schema[name])) parts.push(schema[name]);
  if (isMembers(schema['dependentSchemas'])) parts.push(...Object.values(schema['dependentSchemas']));
  return parts;
}

/** A schema with those that speak of the same value, behind references too (unless `isInline`). */
export function sameValue(root: Members, schema: Members, step: () => void, isInline = false): Set<Members> {
  const found = new Set<Members>();
  const rest: unknown[] = [schema];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (!isMembers(node) || found.has(node)) continue;
    if (node !== schema) step();
    found.add(node);
    rest.push(...partsInPlace(node));
    if (!isInline && refOf(node) !== null) rest.push(follow(root, node));
  }
  return found;
}
