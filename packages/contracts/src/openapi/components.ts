/** A part of an OpenAPI document. */
export type Json = Record<string, unknown>;

/** The parts of an OpenAPI document that several operations share, by kind and name. */
export type Components = Record<'schemas' | 'responses' | 'parameters' | 'headers' | 'examples', Record<string, Json>>;

/** The components of a new document: none yet. */
export function noComponents(): Components {
  return { schemas: {}, responses: {}, parameters: {}, headers: {}, examples: {} };
}

/** Puts a part among the components, unless one of this name is there, and refers to it. */
export function share(components: Components, kind: keyof Components, name: string, part: Json): Json {
  components[kind][name] ??= part;
  return { $ref: `#/components/${kind}/${name}` };
}

/** A name in the form of components: `last_admin` becomes `LastAdmin`. */
export function componentName(name: string): string {
  return name.replace(/(?:^|[^A-Za-z\d]+)([A-Za-z\d])/g, (_, first: string) => first.toUpperCase());
}
