import { positionFrom, isAway, type UpdateStatement, update } from '../database/database.js';
import { AppError } from '@scriptorium/contracts';
import { BSON, type Db, type Document, Long } from 'mongodb';
import {
  type DocumentCache,
  type Held,
  type Needed,
  type Poison,
  type Segment,
  foldSegment,
  neededBy,
  plan,
  poisonOf,
} from './held-documents.js';
import { type RawEvent } from '../events/events.js';
import { type AnyProjection } from './projection.js';

/** What a batch did to one projection: nothing more to say, or the event it could not take. */
export interface BatchResult {
  poison?: Poison;
}

const idsPerFind = 1000;
const statementsPerCommand = 1000;
const bytesOfTombstone = 100;
const bytesPerCommand = 16 * 1024 * 1024;

/** Where a projection's documents are: its collection, or a shadow of it. */
export interface Target {
  readonly db: Db;
  readonly collection: string;
  readonly cache: DocumentCache;
}

/**
 * Folds events into a projection's documents. Every write applies only to a document that is older than the event, so
 * batches may be repeated, also by two writers at once. Throws when the database is away; an event the projection
 * cannot take is returned as poison, with everything before it written.
 */
export async function project(
  target: Target,
  projection: AnyProjection,
  events: readonly RawEvent[],
): Promise<BatchResult> {
  const { segments, poison } = plan(projection, events);
  try {
    for (const segment of segments) {
      const { held, unread } = await load(target, neededBy(segment));
      const failed = foldSegment(segment, held);
      await store(target, held, unread);
      if (failed !== undefined) return { poison: poisonOf(failed.error, named(events, failed.event.id)) };
      if (segment.then !== undefined) await storeWhere(target, segment.then);
    }
  } catch (error) {
    target.cache.clear();
    if (isAway(error)) throw error;
    return blame(target, projection, events, error);
  }
  return poison === undefined ? {} : { poison };
}

/** The database refuses what a batch makes of its documents: taken one by one, the events tell which it is. */
async function blame(
  target: Target,
  projection: AnyProjection,
  events: readonly RawEvent[],
  error: unknown,
): Promise<BatchResult> {
  const [only] = events;
  if (events.length === 1 && only !== undefined) return { poison: poisonOf(error, only) };
  for (const event of events) {
    const result = await project(target, projection, [event]);
    if (result.poison !== undefined) return result;
  }
  return {};
}

function named(events: readonly RawEvent[], id: string): RawEvent {
  const found = events.find((event) => event.id === id);
  if (found === undefined) throw new AppError('unexpected', [], { message: `event ${id} is not part of the batch` });
  return found;
}

/** As the collection holds it: a position, and a mark on what is left of a removed one. */
interface StoredDocument extends Record<string, unknown> {
  _id: string;
}

interface Loaded {
  held: Map<string, Held>;
  /** Documents that are replaced without being read: the database may have newer ones. */
  unread: ReadonlySet<string>;
}

async function load({ db, collection, cache }: Target, { changed, guards, replaced }: Needed): Promise<Loaded> {
  const held = new Map<string, Held>();
  const unread = new Set<string>();
  for (const id of replaced) {
    const kept = cache.get(id);
    if (kept !== undefined) held.set(id, kept);
    else unread.add(id);
  }
  const unknown: string[] = [];
  for (const id of [...changed, ...guards]) {
    const kept = cache.get(id);
    if (kept !== undefined) held.set(id, kept);
    else unknown.push(id);
  }
  if (cache.isComplete()) return { held, unread: nothing };
  for (let start = 0; start < unknown.length; start += idsPerFind) {
    const docs = await db
      .collection<{ _id: string } & Document>(collection)
      .find({ _id: { $in: unknown.slice(start, start + idsPerFind) } })
      .toArray();
    for (const { _id, _at, _gone, ...doc } of docs as StoredDocument[]) {
      held.set(_id, { doc: _gone === true ? null : doc, at: positionFrom(_at), stored: true, dirty: false });
    }
  }
  // This writer takes all events in order, so it is the one that will write the guard.
  for (const id of guards) if (!held.has(id)) cache.keep(id, absent, bytesOfTombstone);
  return { held, unread };
}

const nothing: ReadonlySet<string> = new Set();
const absent: Held = { doc: null, at: -1n, stored: false, dirty: false };

interface Statement extends UpdateStatement {
  /** About as much as it adds to a command. */
  bytes: number;
}

async function store({ db, collection, cache }: Target, held: Loaded['held'], unread: Loaded['unread']): Promise<void> {
  const statements: Statement[] = [];
  const kept: (() => void)[] = [];
  // Of a complete cache nothing is missing in the database, so what was not read was not there.
  const isUnread = (id: string, one: Held): boolean => unread.has(id) || (one.unread === true && !cache.isComplete());
  for (const [id, one] of held) {
    const { doc, at, stored, dirty } = one;
    // Also what was made and removed in this batch leaves a tombstone: a writer that is behind may still take its first
    // event.
    if (!dirty) continue;
    const position = Long.fromBigInt(at);
    const q = { _id: id, _at: { $lt: position } };
    const u = doc === null ? { _id: id, _at: position, _gone: true } : { _id: id, ...doc, _at: position };
    const bytes = BSON.calculateObjectSize(u, { ignoreUndefined: true });
    statements.push(stored ? { q, u, bytes } : { q, u, upsert: true, bytes });
    // A tombstone may be swept one day: the next write to it must be able to create the document.
    if (!isUnread(id, one)) kept.push(() => cache.keep(id, { doc, at, stored: doc !== null, dirty: false }, bytes));
  }
  await run(db, collection, statements);
  for (const keep of kept) keep();
}

/** Sends statements in few commands. Throws `AppError('unexpected')` when the database refuses a document. */
async function run(db: Db, collection: string, statements: readonly Statement[]): Promise<void> {
  for (const chunk of chunks(statements)) {
    await listTombstones(db, collection, chunk);
    await update(
      db,
      collection,
      chunk.map(({ bytes: _bytes, ...statement }) => statement),
    );
  }
}

/** Tombstones are listed before they are made, so that the sweep finds each of them without a scan. */
async function listTombstones(db: Db, collection: string, statements: readonly Statement[]): Promise<void> {
  const updates = statements
    .filter(({ u }) => u['_gone'] === true)
    .map(({ u }) => ({
      q: { _id: `${collection}/${String(u['_id'])}` },
      u: { $set: { collection, id: u['_id'] as string, at: u['_at'] as Long } },
      upsert: true as const,
    }));
  if (updates.length > 0) await update(db, 'op_gone', updates);
}

function* chunks(statements: readonly Statement[]): Generator<Statement[]> {
  let chunk: Statement[] = [];
  let bytes = 0;
  for (const statement of statements) {
    if (chunk.length > 0 && (chunk.length >= statementsPerCommand || bytes + statement.bytes > bytesPerCommand)) {
      yield chunk;
      chunk = [];
      bytes = 0;
    }
    chunk.push(statement);
    bytes += statement.bytes;
  }
  if (chunk.length > 0) yield chunk;
}

async function storeWhere(
  { db, collection, cache }: Target,
  { write, position }: NonNullable<Segment['then']>,
): Promise<void> {
  cache.clear();
  const at = Long.fromBigInt(position);
  const guard = { _at: { $lt: at }, _gone: { $exists: false } };
  if ('setWhere' in write) {
    await run(db, collection, [
      { q: { ...write.setWhere, ...guard }, u: fieldUpdate(write.fields, at), multi: true, bytes: 0 },
    ]);
    return;
  }
  // A deletion leaves a tombstone, which replaces the whole document, so it goes document by document.
  const matching = () =>
    db
      .collection<{ _id: string }>(collection)
      .find({ ...write.removeWhere, ...guard }, { projection: { _id: 1 }, limit: idsPerFind })
      .toArray();
  for (let some = await matching(); some.length > 0; some = some.length < idsPerFind ? [] : await matching()) {
    await run(
      db,
      collection,
      some.map(({ _id }) => ({
        q: { _id, _at: { $lt: at } },
        u: { _id, _at: at, _gone: true },
        bytes: bytesOfTombstone,
      })),
    );
  }
}

function fieldUpdate(fields: Readonly<Record<string, unknown>>, at: Long): Document {
  const entries = Object.entries(fields);
  const gone = entries.filter(([, value]) => value === undefined).map(([path]) => [path, ''] as const);
  const set = Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  return { $set: { ...set, _at: at }, ...(gone.length > 0 ? { $unset: Object.fromEntries(gone) } : {}) };
}
