import { type Data, type Json } from './types.js';

/** True for a JSON object: neither an array nor null. */
export const isObject = (value: Json | undefined): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);
