import { diff, isSame, type Json, type Parts } from '@scriptorium/tree';

/** Something as both sides began with it, and what each made of it; `undefined` where it is not there. */
export interface Versions<T> {
  base: T | undefined;
  /** That of the change request. */
  ours: T | undefined;
  /** That of the main content. */
  theirs: T | undefined;
}

/** The roots of what is merged. */
export interface MergedRoots {
  base: string;
  ours: string;
  theirs: string;
}

/** Everything with a prefix that a side has changed, by key. The cost grows with what was changed. */
export async function changedIn<T>(
  parts: Parts,
  { base, ours, theirs }: MergedRoots,
  prefix: string,
): Promise<Map<string, Versions<T>>> {
  const changed = new Map<string, Versions<Json>>();
  for await (const { key, before, after } of diff(parts, base, ours, { prefix }))
    changed.set(key, { base: before, ours: after, theirs: before });
  for await (const { key, before, after } of diff(parts, base, theirs, { prefix })) {
    const known = changed.get(key);
    changed.set(key, known === undefined ? { base: before, ours: before, theirs: after } : { ...known, theirs: after });
  }
  return changed as Map<string, Versions<T>>;
}

/**
 * What both sides together make of a value. Where both changed it, each in its own way, ours stays, and that is a
 * conflict.
 */
export function mergeValue<T>({ base, ours, theirs }: Versions<T>): { value: T | undefined; isConflict: boolean } {
  if (isSame(ours, theirs) || isSame(base, theirs)) return { value: ours, isConflict: false };
  if (isSame(base, ours)) return { value: theirs, isConflict: false };
  return { value: ours, isConflict: true };
}

/** `mergeValue` for each member of objects. `conflicts`: the names of members that both changed. */
export function mergeMembers<T extends object>(
  { base, ours, theirs }: Versions<T>,
  except: readonly (keyof T)[] = [],
): { value: Partial<T>; conflicts: (keyof T & string)[] } {
  const names = new Set([base, ours, theirs].flatMap((side) => Object.keys(side ?? {})));
  const value: Partial<T> = {};
  const conflicts: (keyof T & string)[] = [];
  for (const name of names as Set<keyof T & string>) {
    if (except.includes(name)) continue;
    const merged = mergeValue({ base: base?.[name], ours: ours?.[name], theirs: theirs?.[name] });
    if (merged.value !== undefined) value[name] = merged.value;
    if (merged.isConflict) conflicts.push(name);
  }
  return { value, conflicts };
}

/** Whether a side has something, and what it makes of it when the other side has not changed it. */
export function mergePresence<T>(
  { base, ours, theirs }: Versions<T>,
  isChanged: (before: T, after: T) => boolean,
): { value: T | undefined; isConflict: boolean } | 'both' {
  if (ours !== undefined && theirs !== undefined) return 'both';
  const left = ours ?? theirs;
  if (left === undefined || base === undefined) return { value: left, isConflict: false };
  // One side deleted what was there before; the change request has its way if the other side changed it.
  const isConflict = isChanged(base, left);
  return { value: isConflict ? ours : undefined, isConflict };
}
