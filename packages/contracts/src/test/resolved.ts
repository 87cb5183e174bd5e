type Json = Record<string, unknown>;

/** A part of an OpenAPI document; where it is a reference, the component that it names. */
export function resolved<T extends object>(document: Json, part: T | { $ref: string }): T {
  if (!('$ref' in part)) return part;
  const found = part.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((node, name) => (node as Json)[name], document);
  if (found === undefined) throw new Error(`The document has no ${part.$ref}`);
  return found as T;
}
