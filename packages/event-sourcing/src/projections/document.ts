import { type Fields, type Scalar, type Where, type Write } from './projection.js';

/** Helpers on plain documents; nothing here knows of databases. Paths are dotted. */
type Plain = Record<string, unknown>;

function isPlain(value: unknown): value is Plain {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.getPrototypeOf(value) === Object.prototype
  );
}

/** The value at a path, `undefined` when something on the way is missing. */
function valueAt(doc: object, path: string): unknown {
  let value: unknown = doc;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Plain)[key];
  }
  return value;
}

function withAt(doc: Plain, [key = '', ...rest]: readonly string[], value: unknown): Plain {
  const next = { ...doc };
  if (rest.length > 0) next[key] = withAt(isPlain(doc[key]) ? doc[key] : {}, rest, value);
  else if (value === undefined) delete next[key];
  else next[key] = value;
  return next;
}

/** A copy with these fields set; `undefined` removes a field. */
export function withFields<D extends object>(doc: D, fields: Fields): D {
  let next = doc as Plain;
  for (const [path, value] of Object.entries(fields)) next = withAt(next, path.split('.'), value);
  return next as D;
}

function incremented<D extends object>(doc: D, by: Readonly<Record<string, number>>): D {
  const sums = Object.entries(by).map(([path, amount]) => {
    const present = valueAt(doc, path);
    return [path, (typeof present === 'number' ? present : 0) + amount] as const;
  });
  return withFields(doc, Object.fromEntries(sums));
}

/** What a write by id makes of a document. Not for writes by condition. */
export function applied<D extends object>(write: Write<D>, doc: D | null): D | null {
  if ('put' in write) return write.doc;
  if ('remove' in write) return null;
  if ('change' in write) return write.by(doc);
  if (doc === null) return null;
  if ('set' in write) return withFields(doc, write.fields);
  if ('inc' in write) return incremented(doc, write.by);
  return doc;
}

/** The document a write names, `null` for a write by condition and for documents that are made from another one. */
export function targetOf<D extends object>(write: Write<D>): string | null {
  if ('put' in write) return write.put;
  if ('set' in write) return write.set;
  if ('inc' in write) return write.inc;
  if ('change' in write) return write.change;
  if ('remove' in write) return write.remove;
  return null;
}

/**
 * Whether a document meets a condition, as the database would decide: `null` also means absent, an array matches by any
 * element.
 */
export function matches(doc: object, where: Where): boolean {
  return Object.entries(where).every(([path, wanted]) => {
    const value = valueAt(doc, path) ?? null;
    const options: readonly Scalar[] = typeof wanted === 'object' && wanted !== null ? wanted.$in : [wanted];
    return options.some((option) => value === option || (Array.isArray(value) && value.includes(option)));
  });
}
