import { type Json } from './types.js';

/** JSON with the members of every object in one order; `undefined` members do not count. */
export function canonical(value: Json | undefined, skip?: ReadonlySet<string>): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, skip)).join(',')}]`;
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined && !skip?.has(name))
    .sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name], skip)}`).join(',')}}`;
}
