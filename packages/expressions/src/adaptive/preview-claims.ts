import { type Value } from '../value.js';
import { type Claims } from './filter-claims.js';
import { type AdaptiveSchema, type ObjectProperty, type Property } from './schema.js';

const previewObject = ({ properties }: ObjectProperty): Claims =>
  Object.fromEntries([...properties].map(([name, property]) => [name, previewValue(property)]));

const previewValue = (property: Property): Value => {
  switch (property.type) {
    case 'boolean':
      return true;
    case 'number':
      return 1234;
    case 'string':
      return property.enum?.[0] ?? property.default ?? 'default';
    case 'array':
      return [];
    case 'object':
      return previewObject(property);
  }
};

/**
 * A visitor for an editor's preview, with a value for every claim: true, 1234, the first enumerated value (without an
 * enumeration the schema's `default`, else the text "default"), no elements, objects filled likewise.
 */
export const previewClaims = ({ root }: AdaptiveSchema): Claims => previewObject(root);
