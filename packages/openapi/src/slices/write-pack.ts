import { at, partsOf, refsIn } from '../documents/pointers.js';
import { members, type Members } from '../text/values.js';
import { complete, operationsIn } from './operations.js';
import { deflated, packed, type PackIndex, type Slice } from './pack-format.js';
import { schemaKey } from './schema-key.js';

/**
 * Cuts a document of OpenAPI 3.1 into operations, webhooks and schemas, each deflated by itself, with an index at the
 * end. An operation is then read with the schemas that it reaches, and nothing else.
 */
export function writePack(root: Members): Buffer {
  const slices: Buffer[] = [];
  const names = new SchemaNames(root);
  let offset = 0;
  const slice = (name: string, value: unknown): Slice => {
    const bytes = deflated(value);
    slices.push(bytes);
    const made = { name, offset, length: bytes.length, schemas: names.placesIn(value) };
    offset += bytes.length;
    return made;
  };
  const operationsOf = (part: 'paths' | 'webhooks'): Slice[] =>
    [...operationsIn(root, part)].map((found) => slice(`${found[1]} ${found[0]}`, complete(root, found)));

  const index: PackIndex = { operations: operationsOf('paths'), webhooks: operationsOf('webhooks'), schemas: [] };
  // Schemas can refer to parts that have no name; those come into the list while this goes on.
  for (const [name, schema] of names.list) index.schemas.push(slice(name, schema));
  return packed(slices, index);
}

/** The schemas of a pack in their order: those with names first, then parts that references lead to. */
class SchemaNames {
  readonly list: [string, unknown][] = [];
  private readonly places = new Map<string, number>();

  constructor(private readonly root: Members) {
    const schemas = members(members(root['components'])['schemas']);
    for (const [name, schema] of Object.entries(schemas)) this.add(name, schema);
  }

  /** The places of the schemas that a value refers to. */
  placesIn(value: unknown): number[] {
    const found = new Set<number>();
    for (const ref of refsIn(value)) {
      const key = schemaKey(ref);
      const place = key === null ? undefined : (this.places.get(key) ?? this.addPart(key, ref));
      if (place !== undefined) found.add(place);
    }
    return [...found].sort((a, b) => a - b);
  }

  private addPart(key: string, ref: string): number | undefined {
    const parts = partsOf(ref);
    const target = parts === null || parts.length < 2 ? undefined : at(this.root, parts);
    return target === undefined ? undefined : this.add(key, target);
  }

  private add(name: string, schema: unknown): number {
    this.places.set(name, this.list.length);
    this.list.push([name, schema]);
    return this.list.length - 1;
  }
}
