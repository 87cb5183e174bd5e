/** A claim that is true or false. */
export interface BooleanProperty {
  readonly type: 'boolean';
  readonly description?: string;
}
/** A claim of text; only with `enum` are its values known beforehand. */
export interface StringProperty {
  readonly type: 'string';
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly default?: string;
}
export interface NumberProperty {
  readonly type: 'number';
  readonly description?: string;
}
/** What an array may hold. */
export type ItemProperty = BooleanProperty | StringProperty | NumberProperty;
/** A claim of several values. One of enumerated text is a set: order and repetition carry no meaning. */
export interface ArrayProperty {
  readonly type: 'array';
  readonly description?: string;
  readonly items: ItemProperty;
}
export interface ObjectProperty {
  readonly type: 'object';
  readonly description?: string;
  /** In the order of the schema. */
  readonly properties: ReadonlyMap<string, Property>;
}
export type Property = ItemProperty | ArrayProperty | ObjectProperty;

/** A checked adaptive schema: the claims of visitors that conditions may use. */
export interface AdaptiveSchema {
  /** The root; its property `unsigned`, when there is one, is an object of claims that anybody can set. */
  readonly root: ObjectProperty;
}

/** The name of the root property that holds unsigned claims. */
export const UNSIGNED = 'unsigned';

/** The bounds of an adaptive schema. */
export const SCHEMA_LIMITS = {
  /** Properties on all levels together. */
  properties: 100,
  /** How deep a property may stand; those of the root are at 1. */
  depth: 5,
  nameLength: 128,
  descriptionLength: 1024,
  enumValues: 1000,
  enumValueLength: 256,
  /** Problems that are reported at once. */
  issues: 20,
} as const;

/**
 * Whether a property's values are known beforehand, so that a condition on it can be decided for a group of visitors.
 */
export const isDeterministic = (property: Property): boolean => {
  switch (property.type) {
    case 'boolean':
      return true;
    case 'number':
      return false;
    case 'string':
      return property.enum !== undefined;
    case 'array':
      return property.items.type === 'string' && isDeterministic(property.items);
    case 'object':
      return [...property.properties.values()].every(isDeterministic);
  }
};
