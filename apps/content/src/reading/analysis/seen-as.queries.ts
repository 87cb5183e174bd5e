import { compile, VISITOR_VARIABLES } from '@scriptorium/expressions';
import { createHash } from 'node:crypto';
import type { Seen } from './see-document.js';

/** A name for everything that these conditions and expressions read: equal names see the same. */
export function seenAs(sources: Iterable<string>, { type, claims, variables }: Seen): string {
  const scope = { visitor: { type, claims }, space: { vars: variables.space }, page: { vars: variables.page } };
  const values = new Map<string, unknown>();
  for (const source of sources)
    for (const path of pathsIn(source)) {
      const name = JSON.stringify(path);
      if (!values.has(name)) values.set(name, valueAt(scope, path));
    }
  const read = [...values].sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(read)).digest('base64url').slice(0, 22);
}

function pathsIn(source: string): (readonly string[])[] {
  try {
    return compile(source, { variables: VISITOR_VARIABLES }).references.map(({ path }) => path);
  } catch {
    return [];
  }
}

/** The value that a read covers. What is not an object has nothing of its own below it. */
function valueAt(scope: object, path: readonly string[]): unknown {
  let value: unknown = scope;
  for (const name of path) {
    if (typeof value !== 'object' || value === null) return value;
    if (!Object.hasOwn(value, name)) return Array.isArray(value) ? value : undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
