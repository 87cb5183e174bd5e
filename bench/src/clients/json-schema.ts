type Schema = Readonly<Record<string, unknown>>;

/**
 * A document of OpenAPI 3.0 or 3.1 as JSON Schema reads it. `nullable` becomes an alternative. Alternatives that differ
 * in what one of their members may be are asked for by that member, so that an error names what is wrong with the one
 * that is meant. Of others one has to fit: an answer that fits two can be read as either, and many in the documents do.
 */
export function jsonSchemaOf(document: unknown): unknown {
  const resolve = (schema: Schema): Schema => {
    const { $ref: to } = schema;
    if (typeof to !== 'string') return schema;
    const parts = to.slice('#/'.length).split('/');
    return resolve(parts.reduce<unknown>((node, part) => (node as Schema)[part], document) as Schema);
  };
  const convert = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(convert);
    if (typeof node !== 'object' || node === null) return node;
    const { nullable, oneOf, anyOf, discriminator: _, example: _example, ...rest } = node as Schema;
    const alternatives = [oneOf, anyOf].find((one): one is Schema[] => Array.isArray(one));
    const schema = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, convert(value)]));
    const whole =
      alternatives === undefined ? schema : { ...schema, allOf: [...listOf(schema['allOf']), choose(alternatives)] };
    return nullable === true ? { anyOf: [whole, { type: 'null' }] } : whole;
  };
  const choose = (alternatives: readonly Schema[]): Schema => {
    const tagged = alternatives
      .map(withoutEnd)
      .map((alternative) => ({ alternative, tags: tagsOf(alternative, resolve) }));
    const names = Object.keys(tagged[0]?.tags ?? {}).filter((name) => tagged.every(({ tags }) => tags[name]));
    for (const name of names) {
      const values = new Set(tagged.flatMap(({ tags }) => tags[name] ?? []));
      const having = (value: unknown) => tagged.filter(({ tags }) => tags[name]?.includes(value));
      if ([...values].some((value) => having(value).length === tagged.length)) continue;
      const cases = [...values].map((value) => ({
        if: { required: [name], properties: { [name]: { enum: [value] } } },
        then: choose(having(value).map(({ alternative }) => alternative)),
      }));
      return { type: 'object', required: [name], properties: { [name]: { enum: [...values] } }, allOf: cases };
    }
    const [only, ...others] = alternatives.map(withoutEnd).map(convert);
    return others.length === 0 ? (only as Schema) : { anyOf: [only, ...others] };
  };
  return convert(document);
}

/** An alternative that allows no members means that those of the others are left out, and not all members. */
function withoutEnd(alternative: Schema): Schema {
  const { additionalProperties, ...rest } = alternative;
  const isEmpty = Object.keys(rest['properties'] ?? {}).length === 0;
  return additionalProperties === false && isEmpty ? rest : alternative;
}

type Tags = Readonly<Record<string, readonly unknown[]>>;

/** The members that a schema requires and of which it lists the values. */
function tagsOf(schema: Schema, resolve: (schema: Schema) => Schema): Tags {
  const found = new Map<string, readonly unknown[]>();
  const required = new Set<unknown>();
  const visit = (part: Schema): void => {
    const { properties = {}, required: names, allOf, oneOf, anyOf } = resolve(part);
    for (const name of listOf(names)) required.add(name);
    for (const [name, member] of Object.entries(properties as Record<string, Schema>)) {
      const { enum: values } = resolve(member);
      if (Array.isArray(values)) found.set(name, values);
    }
    for (const inner of listOf(allOf)) visit(inner as Schema);
    for (const [name, values] of Object.entries(sharedTags([...listOf(oneOf), ...listOf(anyOf)], resolve))) {
      required.add(name);
      found.set(name, values);
    }
  };
  visit(schema);
  return Object.fromEntries([...found].filter(([name]) => required.has(name)));
}

/** The tags that all of these have, with the values of all. */
function sharedTags(schemas: readonly unknown[], resolve: (schema: Schema) => Schema): Tags {
  const [first, ...others] = schemas.map((schema) => tagsOf(schema as Schema, resolve));
  const shared = Object.keys(first ?? {}).filter((name) => others.every((tags) => name in tags));
  return Object.fromEntries(
    shared.map((name) => [name, [first, ...others].flatMap((tags) => tags?.[name] ?? [])] as const),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
