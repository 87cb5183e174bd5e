/** What differs between two versions of a part, and whether a client that knew the old one can fail because of it. */
export interface Difference {
  text: string;
  isBreaking: boolean;
}

/** Who writes what a schema describes: clients (requests), servers (responses), or both. */
export interface Use {
  request: boolean;
  response: boolean;
}

/** Whether two values of JSON are the same, the order of members aside. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  return names.every((name) => Object.hasOwn(b, name) && isSame(left[name], right[name]));
}

/** What only one of two lists has. */
export function apart(a: readonly unknown[], b: readonly unknown[]): { removed: unknown[]; added: unknown[] } {
  return {
    removed: a.filter((one) => !b.some((other) => isSame(one, other))),
    added: b.filter((one) => !a.some((other) => isSame(one, other))),
  };
}

/** The members that differ and that nothing else tells of. They say nothing that a client depends on. */
export function changedMembers(
  a: Readonly<Record<string, unknown>>,
  b: Readonly<Record<string, unknown>>,
  told: readonly string[],
  place = '',
): Difference[] {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (name) => !told.includes(name) && !isSame(a[name], b[name]),
  );
  const at = place === '' ? '' : `${place}: `;
  return names.length === 0 ? [] : [{ text: `${at}${names.join(', ')} changed`, isBreaking: false }];
}
