import { type IndexSpec } from '../database/database.js';
import { type AnyEvent, type EventOf, type EventTable, type Recorded } from '../events/events.js';
import { fingerprintOf } from '../aggregates/fingerprint.js';

type Scalar = string | number | boolean | null;

/** Equality or membership of stored fields (dotted paths reach into objects): what an index can answer. */
export type Where = Readonly<Record<string, Scalar | { readonly $in: readonly Scalar[] }>>;

/** Fields to set; dotted paths reach into objects, `undefined` removes. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * One change to the documents of a projection. By id: `put` replaces or creates, though not while there is a document
 * `unless`, `set` and `inc` touch an existing one,
 * `change` computes the next document from the present one (`null` = none, returning `null` removes it, returning the
 * same object leaves it), `remove` deletes. By condition: `setWhere` and `removeWhere` touch all that match.
 *
 * `puts` replaces or creates documents that the event and the present document `from` make together (`null` = there is
 * none). A redelivered event may find `from` newer than it was, so `puts` must not use what later events have added to
 * it.
 */
export type Write<D extends object = Record<string, unknown>> =
  | { put: string; doc: D; unless?: string }
  | { from: string; puts: (doc: D | null) => ReadonlyMap<string, D> }
  | { set: string; fields: Fields }
  | { inc: string; by: Readonly<Record<string, number>> }
  | { change: string; by: (doc: D | null) => D | null }
  | { remove: string }
  | { setWhere: Where; fields: Fields }
  | { removeWhere: Where };

interface Common<T extends readonly EventTable[]> {
  /** snake_case; the collection is `<name>_v<version>`. */
  readonly name: string;
  /** A changed event set or changed code demands a new version. */
  readonly version: number;
  readonly events: T;
  /** Whose streams it consumes: `team` of this service, or `identity.team` in full. */
  readonly entities: readonly string[];
  readonly indexes?: readonly IndexSpec[];
  readonly history?: History;
  /**
   * New event types need no new version: they are filled in from the log, by themselves. For documents that are made of
   * one event each: what was made of other events before is not made again.
   */
  readonly grows?: true;
  /**
   * Documents are removed when somebody has used them. A rebuild compares those that are left. They are made by `put`.
   */
  readonly consumed?: true;
}

/** Of documents that are the state of one stream, what is needed to show them as they were. */
export interface History {
  /**
   * The entity in full, `identity.team`: while a stream of it is looked back on, its documents, read by id, are those
   * of then.
   */
  readonly of: string;
  /** Fields that other streams fill; they stay as they are now. */
  readonly except?: readonly string[];
}

export interface SingleDefinition<D extends object, T extends readonly EventTable[]> extends Common<T> {
  /** Which document the event belongs to; `null` = none. */
  readonly id: (event: ProjectedOf<T>) => string | null;
  /** The next document (`null` = none). The same object back means unchanged. Pure, never throws on a fact. */
  readonly evolve: (doc: D | null, event: ProjectedOf<T>) => D | null;
}

export interface WritesDefinition<D extends object, T extends readonly EventTable[]> extends Common<T> {
  /** What the event changes, in order. Pure, never throws on a fact. */
  readonly writes: (event: ProjectedOf<T>) => readonly Write<D>[];
}

/** Events as projections and reactors get them. */
export type ProjectedOf<T extends readonly EventTable[]> = Recorded<EventOf<T[number]>>;

/** A projection as the engine runs it. `D` is the document without `_id` and `_at`. */
export interface Projection<D extends object = Record<string, unknown>> {
  readonly name: string;
  readonly version: number;
  /** Name of the collection. */
  readonly collection: string;
  readonly tables: readonly EventTable[];
  readonly types: ReadonlySet<string>;
  readonly entities: readonly string[];
  readonly indexes: readonly IndexSpec[];
  readonly fingerprint: string;
  readonly history: History | undefined;
  readonly grows: boolean;
  readonly consumed: boolean;
  writes(event: Recorded): readonly Write<D>[];
}

/** Any projection, whatever its documents. */
export type AnyProjection = Pick<
  Projection,
  | 'name'
  | 'version'
  | 'collection'
  | 'tables'
  | 'types'
  | 'entities'
  | 'indexes'
  | 'fingerprint'
  | 'history'
  | 'grows'
  | 'consumed'
> & {
  writes(event: Recorded): readonly unknown[];
};

/**
 * Declares a read model. Two forms: `id` + `evolve` for one document per event, `writes` for everything else.
 * Documents are plain JSON-like data without `_id` and `_at`, which the engine adds.
 */
export function projection<D extends object, const T extends readonly EventTable[]>(
  definition: SingleDefinition<D, T> | WritesDefinition<D, T>,
): Projection<D> {
  const { name, version, events, entities, indexes = [], grows = false, consumed = false } = definition;
  if (!/^[a-z][a-z0-9_]*$/.test(name)) throw new RangeError(`projection name "${name}" is not snake_case`);
  const types = new Set(events.flatMap((table) => table.types));
  const single = 'evolve' in definition;
  const fixed = grows ? [] : [...types];
  return {
    name,
    version,
    collection: `${name}_v${version}`,
    tables: events,
    types,
    entities,
    indexes,
    history: definition.history,
    grows,
    consumed,
    fingerprint: single
      ? fingerprintOf(`${name}_v${version}`, fixed, definition.id, definition.evolve)
      : fingerprintOf(`${name}_v${version}`, fixed, definition.writes),
    writes: single ? singleDocument(definition) : (event) => definition.writes(event as ProjectedOf<T>),
  };
}

function singleDocument<D extends object, T extends readonly EventTable[]>({ id, evolve }: SingleDefinition<D, T>) {
  return (event: Recorded<AnyEvent>): readonly Write<D>[] => {
    const known = event as ProjectedOf<T>;
    const target = id(known);
    return target === null ? [] : [{ change: target, by: (doc) => evolve(doc, known) }];
  };
}

/** What writes make of documents: plain objects, whose fields are named by dotted paths. */
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
