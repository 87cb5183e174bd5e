import type { CompleteOperation } from '../slices/operations.js';
import { listOf, members } from '../text/values.js';

const parameter = /\{([^{}]*)\}/g;

/**
 * Operations whose path differs in the names of its parameters alone, which no client sends: new names by old ones.
 * `names` are methods with paths.
 */
export function renamedIn(old: ReadonlyMap<string, unknown>, now: ReadonlyMap<string, unknown>): Map<string, string> {
  const before = new Map<string, string>();
  for (const name of old.keys()) if (!now.has(name)) before.set(name.replaceAll(parameter, '{}'), name);
  const renamed = new Map<string, string>();
  for (const name of now.keys()) {
    const plain = name.replaceAll(parameter, '{}');
    const other = old.has(name) ? undefined : before.get(plain);
    if (other === undefined) continue;
    renamed.set(name, other);
    before.delete(plain);
  }
  return renamed;
}

/** The old operation with the path of the new one: its path parameters are called as those in the same place. */
export function withPathOf(after: CompleteOperation, before: CompleteOperation): CompleteOperation {
  if (before.path === after.path) return before;
  const [old, now] = [before.path, after.path].map((path) => [...path.matchAll(parameter)].map(([, name]) => name));
  const names = new Map(old?.map((name, index) => [name, now?.[index]]));
  const parameters = listOf(before.operation['parameters'])
    .map(members)
    .map((one) => (one['in'] === 'path' ? { ...one, name: names.get(String(one['name'])) ?? one['name'] } : one));
  return { ...before, path: after.path, operation: { ...before.operation, parameters } };
}
