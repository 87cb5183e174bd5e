import { skippedOf } from './canonical.js';
import { type Json } from './types.js';

type Members = { [name: string]: Json | undefined };
const isObject = (value: Json | undefined): value is Json[] | Members => typeof value === 'object' && value !== null;
const nothing = (value: Json | undefined): boolean => value === null || value === undefined;

/**
 * True when two values are the same JSON, whatever the order of properties: what equality of `canonical` says, without
 * building the texts. `undefined` members do not count, nor do those of nodes named in `skip`.
 */
export function sameJson(a: Json | undefined, b: Json | undefined, skip?: ReadonlySet<string>): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return nothing(a) && nothing(b);
  if (!Array.isArray(a)) return !Array.isArray(b) && sameMembers(a, b, skip);
  return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameJson(item, b[i], skip));
}

function sameMembers(a: Members, b: Members, skip: ReadonlySet<string> | undefined): boolean {
  const [skippedOfA, skippedOfB] = [skippedOf(a, skip), skippedOf(b, skip)];
  let members = 0;
  for (const name of Object.keys(a)) {
    if (a[name] === undefined || skippedOfA?.has(name)) continue;
    if (!Object.hasOwn(b, name) || b[name] === undefined || !sameJson(a[name], b[name], skip)) return false;
    members++;
  }
  for (const name of Object.keys(b)) if (b[name] !== undefined && !skippedOfB?.has(name)) members--;
  return members === 0;
}
