import { createCompiler, ExpressionError, type Claims } from '@scriptorium/expressions';

/** The paths of the claims that expressions use; `all` when one of them uses them as a whole. */
export type UsedClaims = ReadonlySet<string> | 'all';

const compiler = createCompiler();
const separator = '\u0000';

/** The claims that these expressions use. What is no expression shows nothing to anybody, and uses none. */
export function claimsUsedBy(expressions: Iterable<string>): UsedClaims {
  const used = new Set<string>();
  for (const source of expressions)
    for (const [variable, property, ...path] of pathsIn(source)) {
      if (variable !== 'visitor') continue;
      if (property === undefined || (property === 'claims' && path.length === 0)) return 'all';
      if (property === 'claims') used.add(path.join(separator));
    }
  return used;
}

function pathsIn(source: string): (readonly string[])[] {
  try {
    return compiler.compile(source).references.map(({ path }) => path);
  } catch (error) {
    if (error instanceof ExpressionError) return [];
    throw error;
  }
}

/** What a visitor has of the claims that are used, with their paths in an order of their own. Pure. */
export function pickClaims(claims: Claims, used: UsedClaims): [path: string, value: unknown][] {
  if (used === 'all') return Object.entries(claims);
  return [...used].sort().flatMap((path): [string, unknown][] => {
    const value = path.split(separator).reduce<unknown>(below, claims);
    return value === undefined ? [] : [[path, value]];
  });
}

/** What is below a text or a list, such as its length, follows from it. */
function below(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
