import { LRUCache } from 'lru-cache';
import { applied, targetOf, type AnyProjection, type Write } from './projection.js';
import { type AnyEvent, type RawEvent, type Recorded, nameOf, readEvent } from '../events/events.js';

/**
 * A document while a batch is folded. `at` is the position of the last event that touched it, `-1n` when it never
 * existed.
 */
export interface Held {
  doc: Record<string, unknown> | null;
  at: bigint;
  /** It was in the collection, as a document or as a tombstone. */
  stored: boolean;
  dirty: boolean;
  /** It was written without being read: the database may have a newer one. */
  unread?: true;
}

type AnyWrite = Write<Record<string, unknown>>;
type Puts = Extract<AnyWrite, { puts: unknown }>;
type ConditionWrite = Extract<AnyWrite, { setWhere: unknown } | { removeWhere: unknown }>;

/** Writes by id that belong together, then at most one write by condition, which must see their result. */
export interface Segment {
  steps: { write: AnyWrite; event: Recorded<AnyEvent> }[];
  then?: { write: ConditionWrite; position: bigint };
}

/** An event a projection cannot take: everything before it stands, the projection stops. */
export interface Poison {
  error: unknown;
  event: RawEvent;
  message: string;
}

export interface Plan {
  segments: Segment[];
  poison?: Poison;
}

/** What a projection does with these events, up to the first it cannot take. Pure. */
export function plan(projection: AnyProjection, events: readonly RawEvent[]): Plan {
  const segments: Segment[] = [{ steps: [] }];
  for (const raw of events) {
    try {
      const event = read(projection, raw);
      if (event === null) continue;
      for (const write of projection.writes(event) as readonly AnyWrite[]) add(segments, write, event);
    } catch (error) {
      return { segments, poison: poisonOf(error, raw) };
    }
  }
  return { segments };
}

function add(segments: Segment[], write: AnyWrite, event: Recorded<AnyEvent>): void {
  const current = segments.at(-1);
  if ('setWhere' in write || 'removeWhere' in write) {
    if (current !== undefined) current.then = { write, position: event.position };
    segments.push({ steps: [] });
  } else current?.steps.push({ write, event });
}

export function poisonOf(error: unknown, event: RawEvent): Poison {
  return { error, event, message: `${nameOf(event)}: ${error instanceof Error ? error.message : String(error)}` };
}

function read(projection: AnyProjection, raw: RawEvent): Recorded<AnyEvent> | null {
  if (!projection.types.has(raw.type)) return null;
  for (const table of projection.tables) {
    const event: Recorded<AnyEvent> | null = readEvent(table, raw);
    if (event !== null) return event;
  }
  return null;
}

/** The ids of documents that a segment needs. */
export interface Needed {
  /** Documents that are changed, and those that others are made from. */
  changed: string[];
  /**
   * Documents that only keep others from being written. They are hardly ever there, and each is asked for again and
   * again.
   */
  guards: string[];
  /** Documents that are replaced, whatever they are: the database refuses to replace a newer one. */
  replaced: string[];
}

/** The ids of documents that a segment needs, each in one of the lists. */
export function neededBy({ steps }: Segment): Needed {
  const changed = new Set<string>();
  const guards = new Set<string>();
  const replaced = new Set<string>();
  for (const { write } of steps) {
    const [target, guard] = [targetOf(write), guardOf(write)];
    if (target !== null) ('put' in write ? replaced : changed).add(target);
    if ('puts' in write) changed.add(write.from);
    if (guard !== null) guards.add(guard);
  }
  return {
    changed: [...changed],
    guards: [...guards].filter((id) => !changed.has(id)),
    replaced: [...replaced].filter((id) => !changed.has(id) && !guards.has(id)),
  };
}

/**
 * Folds a segment into the documents. An event that a document has already taken is passed over, so redelivery changes
 * nothing; the writes of one event to one document all count. Returns the error of the first event that fails, in which
 * case nothing of that event is left in the documents.
 */
export function foldSegment(
  segment: Segment,
  held: Map<string, Held>,
): { error: unknown; event: Recorded<AnyEvent> } | undefined {
  // The documents as they were before the event at hand.
  const before: Before = new Map();
  let current = '';
  for (const { write, event } of segment.steps) {
    if (event.id !== current) {
      current = event.id;
      before.clear();
    }
    try {
      if ('puts' in write) putAll(held, before, write, event.position);
      else take(held, before, write, event.position);
    } catch (error) {
      restore(held, before);
      return { error, event };
    }
  }
  return undefined;
}

type Before = Map<string, Held | undefined>;

/** Makes one write by id, unless its document has taken the event before. */
function take(held: Map<string, Held>, before: Before, write: Exclude<AnyWrite, Puts>, position: bigint): void {
  const id = targetOf(write) ?? '';
  if (hasTaken(held, before, id, position) || isPresent(held, guardOf(write))) return;
  applyTo(held, id, write, position);
}

/** Puts the documents that are made from another one. They have not been read. */
function putAll(held: Map<string, Held>, before: Before, { from, puts }: Puts, position: bigint): void {
  for (const [id, doc] of puts(held.get(from)?.doc ?? null)) {
    if (hasTaken(held, before, id, position)) continue;
    const known = held.get(id);
    const state = known === undefined ? { stored: false, unread: true as const } : known;
    held.set(id, { ...state, doc, at: position, dirty: true });
  }
}

function hasTaken(held: ReadonlyMap<string, Held>, before: Before, id: string, position: bigint): boolean {
  const target = held.get(id);
  if (!before.has(id)) before.set(id, target);
  return (before.get(id)?.at ?? -1n) >= position;
}

/** The document that keeps this write from being made. */
function guardOf(write: AnyWrite): string | null {
  return 'put' in write ? (write.unless ?? null) : null;
}

function isPresent(held: ReadonlyMap<string, Held>, id: string | null): boolean {
  return id !== null && (held.get(id)?.doc ?? null) !== null;
}

function applyTo(held: Map<string, Held>, id: string, write: AnyWrite, at: bigint): void {
  const known = held.get(id) ?? { doc: null, stored: false };
  const doc = applied(write, known.doc);
  if (doc !== known.doc) held.set(id, { ...known, doc, at, dirty: true });
}

function restore(held: Map<string, Held>, before: Before): void {
  for (const [id, was] of before) {
    if (was === undefined) held.delete(id);
    else held.set(id, was);
  }
}

/**
 * Documents a projection wrote lately, so that the next batch need not read them. Safe beside other writers: a document
 * as of a position is the same whoever folded it, and writes are guarded by position.
 */
export interface DocumentCache {
  get(id: string): Held | undefined;
  keep(id: string, held: Held, bytes: number): void;
  /** After a failed write, or a write by condition, nothing is known. */
  clear(): void;
  /** Whatever is not here does not exist. */
  isComplete(): boolean;
}

/** `empty`: the collection was empty when the cache was made, and has no other writer. */
export function createDocumentCache(documents: number, bytes: number, empty = false): DocumentCache {
  let complete = empty;
  const forget = (): void => void (complete = false);
  const cache = new LRUCache<string, Held>({
    max: documents,
    maxSize: bytes,
    dispose: (_held, _id, reason) => (reason === 'evict' ? forget() : undefined),
  });
  return {
    get: (id) => cache.get(id),
    keep(id, held, size) {
      if (size <= bytes) return void cache.set(id, held, { size: Math.max(1, size) });
      cache.delete(id);
      forget();
    },
    clear() {
      cache.clear();
      forget();
    },
    isComplete: () => complete,
  };
}
