import { type AdaptiveSchema, type ItemProperty, type ObjectProperty, type Property, UNSIGNED } from './schema.js';

/** A property as JSON Schema. */
export type JsonSchemaProperty =
  | { readonly type: 'boolean' | 'number'; readonly description?: string }
  | {
      readonly type: 'string';
      readonly description?: string;
      readonly enum?: readonly string[];
      readonly default?: string;
    }
  | { readonly type: 'array'; readonly description?: string; readonly items: JsonSchemaProperty }
  | JsonSchemaObject;

/** An object property, or a whole schema, as JSON Schema. */
export interface JsonSchemaObject {
  readonly $schema?: string;
  readonly type: 'object';
  readonly description?: string;
  readonly properties: Readonly<Record<string, JsonSchemaProperty>>;
  readonly additionalProperties: false;
}

const UNSIGNED_DESCRIPTION = 'Unsigned claims of the visitor';

const itemJson = (property: ItemProperty): JsonSchemaProperty => {
  if (property.type !== 'string' || property.enum === undefined) return { ...property };
  return { ...property, enum: [...property.enum] };
};

const propertyJson = (property: Property): JsonSchemaProperty => {
  if (property.type === 'object') return objectJson(property);
  if (property.type === 'array') return { ...property, items: itemJson(property.items) };
  return itemJson(property);
};

const objectJson = (property: ObjectProperty): JsonSchemaObject => ({
  ...property,
  properties: Object.fromEntries([...property.properties].map(([name, child]) => [name, propertyJson(child)])),
  additionalProperties: false,
});

/**
 * The schema as a JSON Schema of draft 07, complete: every object with `additionalProperties: false`, the object of
 * unsigned claims with a description. Parsing the answer gives an equal schema.
 */
export const toJsonSchema = ({ root }: AdaptiveSchema): JsonSchemaObject => {
  const properties = new Map(root.properties);
  const unsigned = properties.get(UNSIGNED);
  if (unsigned !== undefined)
    properties.set(UNSIGNED, { ...unsigned, description: unsigned.description ?? UNSIGNED_DESCRIPTION });
  return { $schema: 'http://json-schema.org/draft-07/schema#', ...objectJson({ ...root, properties }) };
};
