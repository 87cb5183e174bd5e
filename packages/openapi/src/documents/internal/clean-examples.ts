import { entriesOf, isMembers, listOf, members, type Members } from '../../text/values.js';
import { follow, refOf } from '../pointers.js';
import { cleanValue, type Internal } from './clean-value.js';
import { forgetProperties } from './forget-properties.js';
import { sameValue } from './schema-parts.js';

type Changed = Record<string, unknown>;

/**
 * Takes what is internal out of the values that somebody wrote: examples, defaults and the like. A value of which
 * that cannot be told goes as a whole. The document is changed.
 */
export function cleanExamples(internal: Internal): void {
  const uses: ExampleUse[] = [];
  eachPart(internal.root, (node) => {
    if (isMembers(node['schema'])) uses.push(...cleanOwner(internal, node));
    // What a reference leads to is visited where it stands.
    if (!internal.reached.has(node) || isOnlyReference(node)) return;
    forgetProperties(internal.root, node, internal.isGone, internal.step);
    // Parts of the schema that stand in it show values of the whole.
    for (const part of sameValue(internal.root, node, internal.step, true)) cleanSchema(internal, node, part);
  });
  dropExamples(internal, uses);
}

/** An example that is used somewhere: it may be a component, and used elsewhere with another schema. */
interface ExampleUse {
  holder: Changed;
  name: string;
  example: unknown;
  isClean: boolean;
}

/** The values that stand in a schema. */
function cleanSchema(internal: Internal, schema: Members, holder: Changed): void {
  for (const keyword of ['default', 'const', 'example', 'x-example'])
    if (!isClean(internal, schema, holder[keyword])) delete holder[keyword];
  for (const keyword of ['enum', 'examples', 'x-examples']) {
    const values = holder[keyword];
    const list = isMembers(values) ? Object.values(values) : listOf(values);
    if (!list.every((value) => isClean(internal, schema, value))) delete holder[keyword];
  }
}

function isClean(internal: Internal, schema: unknown, value: unknown): boolean {
  return value === undefined || cleanValue(internal, schema, value);
}

/** Parameters, headers, bodies of one type, and answers of Swagger 2.0: their examples stand beside a schema. */
function cleanOwner(internal: Internal, owner: Changed): ExampleUse[] {
  const { schema } = owner;
  for (const keyword of ['example', 'x-example']) if (!isClean(internal, schema, owner[keyword])) delete owner[keyword];
  forgetEncodings(internal, owner);
  return ['examples', 'x-examples'].flatMap((keyword) =>
    entriesOf(owner[keyword]).map(([name, given]) => {
      const example = follow(internal.root, given);
      return { holder: owner[keyword] as Changed, name, example, isClean: isCleanExample(internal, schema, example) };
    }),
  );
}

/** An example of OpenAPI 3 has its value in a member; one of Swagger 2.0 is the value. */
function isCleanExample(internal: Internal, schema: unknown, example: unknown): boolean {
  if (!internal.reached.has(schema)) return true;
  if (!isMembers(example)) return isClean(internal, schema, example);
  const held = ['value', 'dataValue'].filter((name) => Object.hasOwn(example, name));
  if (Object.hasOwn(example, 'serializedValue') || Object.hasOwn(example, 'externalValue')) return false;
  return held.length === 0
    ? isClean(internal, schema, example)
    : held.every((name) => isClean(internal, schema, example[name]));
}

/** How properties of a form are encoded is said by their names. */
function forgetEncodings(internal: Internal, owner: Changed): void {
  if (!isMembers(owner['encoding']) || !internal.reached.has(owner['schema'])) return;
  for (const part of sameValue(internal.root, members(owner['schema']), internal.step))
    for (const [name, property] of entriesOf(part['properties']))
      if (internal.isGone(property)) delete (owner['encoding'] as Changed)[name];
}

/** Drops examples that cannot be cleaned, and those that nothing uses: of what they are examples is not told. */
function dropExamples({ root }: Internal, uses: readonly ExampleUse[]): void {
  const unclean = new Set(uses.filter((use) => !use.isClean).map(({ example }) => example));
  const clean = new Set(uses.map(({ example }) => example).filter((example) => !unclean.has(example)));
  const examples = members(root['components'])['examples'];
  const gone = entriesOf(examples).filter(([, example]) => !clean.has(follow(root, example)));
  for (const { holder, name, example } of uses) if (unclean.has(example)) delete holder[name];
  for (const [name] of gone) delete (examples as Changed)[name];
}

/** Members whose own members are named by whoever wrote the document. */
const maps = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies', 'schemas'],
  ...['parameters', 'responses', 'headers', 'requestBodies', 'callbacks', 'pathItems', 'paths', 'webhooks', 'content'],
  ...['links', 'securitySchemes', 'securityDefinitions', 'encoding', 'mediaTypes', 'additionalOperations'],
]);
const values = new Set(['example', 'examples', 'x-example', 'x-examples', 'default', 'const', 'enum']);

/** Visits the objects of a document that have a meaning of their own, and no values that somebody wrote. */
function eachPart(root: Members, visit: (node: Members) => void): void {
  const rest: unknown[] = [root];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if (Array.isArray(node)) rest.push(...(node as unknown[]).filter(isObject));
    if (!isMembers(node)) continue;
    visit(node);
    for (const [name, member] of Object.entries(node)) if (!values.has(name)) rest.push(...partsOfMember(name, member));
  }
}

function partsOfMember(name: string, member: unknown): unknown[] {
  const parts = maps.has(name) && isMembers(member) ? Object.values(member) : [member];
  return parts.filter(isObject);
}

function isOnlyReference(node: Members): boolean {
  return refOf(node) !== null && Object.keys(node).length === 1;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
