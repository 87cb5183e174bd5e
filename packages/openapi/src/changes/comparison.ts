import { refOf } from '../documents/pointers.js';
import { valueOf, type Pack } from '../slices/pack.js';
import { schemaKey } from '../slices/schema-key.js';
import { isMembers, type Members } from '../text/values.js';
import { isSame, type Use } from './difference.js';

/** Two versions that are compared, and what is known of them by now. */
export interface Versions {
  before: Resolve;
  after: Resolve;
  /** Whether two schemas mean the same, by their references. */
  equal: Map<string, boolean>;
  /** Schemas with different names that are compared where they are used, each pair once an operation. */
  followed: Set<string>;
  /** Such pairs that may still be followed. */
  left: number;
  /** How many schemas are being compared, one within the other. */
  depth: number;
}

/** The schema that a reference leads to; `undefined` when there is none. */
export type Resolve = (ref: string) => unknown;

/** How schemas are compared: who writes their values, and what their references lead to. */
export interface Comparison extends Use {
  versions: Versions;
}

/** Pairs that are followed in all, and how deep schemas may stand in each other by that. */
const most = { followed: 20_000, depth: 300, meaning: 500 };

export function versionsOf(before: Pack, after: Pack): Versions {
  return {
    before: resolveIn(before),
    after: resolveIn(after),
    equal: new Map(),
    followed: new Set(),
    left: most.followed,
    depth: 0,
  };
}

function resolveIn(pack: Pack): Resolve {
  const known = new Map<string, unknown>();
  return (ref) => {
    const key = schemaKey(ref);
    const slice = key === null ? undefined : pack.index.schemas[pack.schemas.get(key) ?? -1];
    if (slice === undefined) return undefined;
    if (!known.has(slice.name)) known.set(slice.name, valueOf(pack, slice));
    return known.get(slice.name);
  };
}

/**
 * Whether two values mean the same, whatever their schemas are called, and whether they stand in place or are
 * referred to. What has the same name counts as the same here: it is compared by itself.
 */
export function meansSame(versions: Versions, before: unknown, after: unknown): boolean {
  if (isSame(before, after)) return true;
  const assumed = new Set<string>();
  const isEqual = means(before, after, 0);
  // What was assumed on the way holds, now that nothing speaks against it.
  if (isEqual) for (const pair of assumed) versions.equal.set(pair, true);
  return isEqual;

  function means(a: unknown, b: unknown, depth: number): boolean {
    // What is not compared to its end is taken as different.
    if (depth > most.meaning) return false;
    const [from, to] = [refOf(a), refOf(b)];
    if (from !== to) return meansByReference(a, b, depth);
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    const [left, right] = [a as Members, b as Members];
    return names.every((name) => Object.hasOwn(right, name) && means(left[name], right[name], depth + 1));
  }

  function meansByReference(a: unknown, b: unknown, depth: number): boolean {
    const pair = JSON.stringify([refOf(a) ?? a, refOf(b) ?? b]);
    const known = versions.equal.get(pair) ?? (assumed.has(pair) ? true : undefined);
    if (known !== undefined) return known;
    assumed.add(pair);
    const [left, right] = [resolved(versions.before, a), resolved(versions.after, b)];
    const isEqual = left !== undefined && right !== undefined && means(left, right, depth + 1);
    if (!isEqual) versions.equal.set(pair, false);
    return isEqual;
  }
}

/** A schema, or what it refers to when that is all that it says. */
export function resolved(resolve: Resolve, schema: unknown): unknown {
  const ref = refOf(schema);
  if (ref === null) return schema;
  return isMembers(schema) && Object.keys(schema).length === 1 ? resolve(ref) : undefined;
}

/** What only one of two lists has, by what it means. */
export function apartByMeaning(
  versions: Versions,
  a: readonly unknown[],
  b: readonly unknown[],
): { removed: unknown[]; added: unknown[] } {
  return {
    removed: a.filter((one) => !b.some((other) => meansSame(versions, one, other))),
    added: b.filter((other) => !a.some((one) => meansSame(versions, one, other))),
  };
}

/** Whether a pair of schemas is to be compared where it is used, and was not before. */
export function mayFollow({ versions, request, response }: Comparison, a: unknown, b: unknown): 'yes' | 'told' | 'no' {
  const pair = JSON.stringify([refOf(a) ?? a, refOf(b) ?? b, request, response]);
  if (versions.followed.has(pair)) return 'told';
  if (versions.left <= 0 || versions.depth > most.depth) return 'no';
  versions.left -= 1;
  versions.followed.add(pair);
  return 'yes';
}
