import { type Json } from '../model/types.js';

/** A length as an attribute value: pixels bare, percentages with their sign. */
export function lengthText(value: Json | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return typeof value['value'] === 'number' ? `${value['value']}${value['unit'] === '%' ? '%' : ''}` : undefined;
}
