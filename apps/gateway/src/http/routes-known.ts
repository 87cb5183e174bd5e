import type { Operation } from '@scriptorium/contracts';

/** Methods that exist for a path, `[]` where the path is unknown. */
export type MethodsOf = (path: string) => readonly string[];

/**
 * Answers which methods a path has, for 405 and `Allow`. Asked only when no route matched, so it searches; paths are
 * grouped by their number of segments.
 */
export function createMethodsOf(table: readonly Pick<Operation, 'method' | 'path'>[], others: readonly string[]): MethodsOf {
  const bySegments = new Map<number, { pattern: RegExp; methods: Set<string> }[]>();
  const add = (path: string, method: string): void => {
    const group = bySegments.get(segments(path)) ?? [];
    bySegments.set(segments(path), group);
    const pattern = patternOf(path);
    let entry = group.find((e) => e.pattern.source === pattern.source);
    if (entry === undefined) group.push((entry = { pattern, methods: new Set() }));
    entry.methods.add(method);
    if (method === 'GET') entry.methods.add('HEAD');
  };
  for (const op of table) {
    add(`/v1${op.path}`, op.method);
    if (op.path === '/') add('/v1', op.method);
  }
  for (const path of others) add(path, 'GET');
  return (path) => {
    const found = bySegments.get(segments(path))?.filter((entry) => entry.pattern.test(path)) ?? [];
    return [...new Set(found.flatMap((entry) => [...entry.methods]))].sort();
  };
}

function segments(path: string): number {
  return path.split('/').length;
}

function patternOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => (part.startsWith('{') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/');
  return new RegExp(`^${source}$`);
}
