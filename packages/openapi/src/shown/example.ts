import { sample } from 'openapi-sampler';
import { follow, refOf } from '../documents/pointers.js';
import { schemaKey } from '../slices/schema-key.js';
import { withDiscriminators, withOwnName } from './discriminators.js';
import { plainSchema } from './plain-schema.js';
import { entriesOf, isMembers, members, setMember } from '../text/values.js';

/** What an example is for: what a client sends, or what it gets. */
export type ExampleUse = 'request' | 'response';

/** Levels of an example, and values of the schema that it is made of. */
const most = { levels: 8, values: 2_000, characters: 16 * 1024 };

/**
 * A value that a schema describes, for people to look at: its own examples first. References are looked up in
 * `schemas` (`operationOf(…).schemas`). Bounded, however densely schemas are connected; `undefined` when there is none.
 */
export function exampleOf(schema: unknown, schemas: Readonly<Record<string, unknown>>, use: ExampleUse): unknown {
  try {
    const options = {
      skipReadOnly: use === 'request',
      skipWriteOnly: use === 'response',
      maxSampleDepth: most.levels,
      quiet: true,
    };
    const value: unknown = sample(members(writtenOut(schema, schemas)), options);
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined || text.length > most.characters ? undefined : value;
  } catch {
    // The library reads what it expects without a look at what is there.
    return undefined;
  }
}

/** A schema with references replaced by what they name, down to some levels and some values. */
function writtenOut(given: unknown, schemas: Readonly<Record<string, unknown>>): unknown {
  let values = 0;
  return write(given, 0, []);

  function write(node: unknown, level: number, within: readonly string[]): unknown {
    values += 1;
    if (typeof node !== 'object' || node === null) return node;
    const ref = refOf(node);
    if (ref !== null) return writeTarget(ref, level, within);
    if (Array.isArray(node)) return node.map((item) => write(item, level, within));
    const copy: Record<string, unknown> = {};
    for (const [name, member] of entriesOf(node)) {
      if (name === 'properties') copy[name] = writeProperties(member, level + 1, within);
      else if (data.has(name)) copy[name] = member;
      else setMember(copy, name, write(member, name === 'items' ? level + 1 : level, within));
    }
    return withDiscriminators(plainSchema(copy), node);
  }

  function writeProperties(properties: unknown, level: number, within: readonly string[]): unknown {
    const copy: Record<string, unknown> = {};
    for (const [name, property] of entriesOf(properties)) {
      if (level > most.levels || values > most.values) break;
      setMember(copy, name, write(property, level, within));
    }
    return copy;
  }

  function writeTarget(ref: string, level: number, within: readonly string[]): unknown {
    const key = schemaKey(ref);
    if (key === null || within.includes(ref) || level > most.levels || values > most.values) return {};
    if (!Object.hasOwn(schemas, key)) return {};
    return withOwnName(members(write(schemas[key], level, [...within, ref])), ref);
  }
}

/** Members of a schema that hold data, in which nothing is a reference. */
const data: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'enum', 'const']);

/** An example of a media type or of a parameter: its own, else one that its schema makes. */
export function exampleOfContent(
  content: unknown,
  schemas: Readonly<Record<string, unknown>>,
  use: ExampleUse,
): unknown {
  const given = members(content);
  if (given['example'] !== undefined) return given['example'];
  for (const [, named] of entriesOf(given['examples'])) {
    const example = follow({}, named);
    if (isMembers(example) && example['value'] !== undefined) return example['value'];
  }
  return given['schema'] === undefined ? undefined : exampleOf(given['schema'], schemas, use);
}
