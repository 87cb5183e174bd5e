import { type ContentRef, type Data, type Json } from './types.js';

/** True for a JSON object: neither an array nor null. */
export const isObject = (value: Json | undefined): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A property that was written, whatever it is called: every object has a `constructor` that nobody gave it. */
export const ownValue = (data: Data, name: string): Json | undefined =>
  Object.hasOwn(data, name) ? data[name] : undefined;

/** True for a reference: to a page, a file, a user, a URL, … */
export const isRef = (value: Json | undefined): value is ContentRef =>
  isObject(value) && typeof value['kind'] === 'string';
