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
    const whole = alternatives === undefined ? schema : { ...schema, allOf: [...listed(schema), choose(alternatives)] };
    return nullable === true ? { anyOf: [whole, { type: 'null' }] } : whole;
  };
  const choose = (alternatives: readonly Schema[]): Schema => {
    const tagged = alternatives.map((alternative) => ({ alternative, tags: tagsOf(alternative, resolve) }));
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
    const [only, ...others] = alternatives.map(convert);
    return others.length === 0 ? (only as Schema) : { anyOf: [only, ...others] };
  };
  return convert(document);
}

function listed({ allOf }: Schema): unknown[] {
  return Array.isArray(allOf) ? allOf : [];
}

/** The members that a schema requires and of which it lists the values. */
function tagsOf(schema: Schema, resolve: (schema: Schema) => Schema): Record<string, readonly unknown[]> {
  const found: Record<string, readonly unknown[]> = {};
  const required = new Set<unknown>();
  const visit = (part: Schema): void => {
    const { properties = {}, required: names, allOf } = resolve(part);
    for (const name of Array.isArray(names) ? (names as unknown[]) : []) required.add(name);
    for (const [name, member] of Object.entries(properties as Record<string, Schema>)) {
      const { enum: values } = resolve(member);
      if (Array.isArray(values)) found[name] = values;
    }
    for (const inner of Array.isArray(allOf) ? (allOf as Schema[]) : []) visit(inner);
  };
  visit(schema);
  return Object.fromEntries(Object.entries(found).filter(([name]) => required.has(name)));
}
