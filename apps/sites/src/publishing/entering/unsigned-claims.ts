/** Parameters of an address that are read as claims, at most. */
const mostParameters = 50;
/** Names within each other, at most. */
const deepest = 5;
const prefix = 'visitor.';
const forbidden: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Claims that the query of an address sets: `visitor.plan=pro`, and with dots one within another. Values are `true`,
 * `false`, `null`, numbers and JSON, or else texts. Pure.
 */
export function unsignedClaims(query: URLSearchParams, given: Readonly<Record<string, unknown>> = {}): object {
  const claims: Record<string, unknown> = { ...given };
  const named = [...query].filter(([name]) => name.startsWith(prefix)).slice(0, mostParameters);
  for (const [name, text] of named) {
    const path = name.slice(prefix.length).split('.');
    if (path.length > deepest || path.some((part) => part === '' || forbidden.has(part))) continue;
    put(claims, path, valueOf(text));
  }
  return claims;
}

function put(claims: Record<string, unknown>, [name = '', ...below]: readonly string[], value: unknown): void {
  if (below.length === 0) {
    claims[name] = value;
    return;
  }
  const present = Object.hasOwn(claims, name) ? claims[name] : undefined;
  const inner = isObject(present) ? { ...present } : {};
  put(inner, below, value);
  claims[name] = inner;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
