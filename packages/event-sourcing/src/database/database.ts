import { createRequire } from 'node:module';
import { type Socket } from 'node:net';
import { AppError } from '@scriptorium/contracts';
import {
  type Collection,
  type Db,
  type Document,
  type Filter,
  type IndexSpecification,
  MongoBulkWriteError,
  MongoClient,
  MongoError,
  MongoInvalidArgumentError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  type WithoutId,
  Long,
} from 'mongodb';
import { isAccessDenied } from '../events/client-errors.js';

/** Server errors that say "not now" rather than "not this": interrupted, shutting down, no primary, time exceeded. */
const passing = new Set([6, 7, 50, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436]);

/**
 * Whether an error means that a server is away (and the same may work later), not that it refuses what it was given. A
 * server that does not admit the user is as good as away.
 */
export function isAway(error: unknown): boolean {
  if (error instanceof AppError) return error.reason === 'unavailable' || isAccessDenied(error);
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  // When the connection breaks, the driver says so of a bulk by an error of the server that has no code.
  if (error instanceof MongoBulkWriteError && error.code === undefined) return true;
  if (error instanceof MongoServerError) return passing.has(Number(error.code));
  // What remains of the driver's own errors speaks of pools, topologies and cursors that went with the connection.
  return error instanceof MongoError && !(error instanceof MongoInvalidArgumentError);
}

/** Whether an insert or an upsert failed because the id is there already. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === 11000;
}

/**
 * Puts a document in the place of the one with its id, if there is one. Of many that do so at once for a new id,
 * MongoDB lets each have its turn; FerretDB refuses all but one, and they find it when they try again.
 */
export async function put<T extends { _id: string }>(
  collection: Collection<T>,
  _id: string,
  doc: WithoutId<T>,
): Promise<void> {
  const replace = () => collection.replaceOne({ _id } as Filter<T>, doc, { upsert: true });
  try {
    await replace();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    await replace();
  }
}

/** A database error as the product's: `unavailable` when the server is away, otherwise the error itself. */
export function asAppError(error: unknown): unknown {
  if (error instanceof AppError || !isAway(error)) return error;
  return new AppError('unavailable', [], { message: 'MongoDB does not answer', cause: error, retryAfter: 1 });
}

export interface Database {
  readonly db: Db;
  /**
   * Needed when the server may not be there yet: after a first connection that failed, the driver's implicit one does
   * not try again. Throws when the server is away.
   */
  connect(): Promise<void>;
  close(): Promise<void>;
}

/** The driver connects with the first command and again by itself; nothing waits longer than 5 s for a server. */
export function openDatabase(url: string, name: string): Database {
  failWritesToClosedSockets();
  const client = new MongoClient(url, {
    appName: name,
    ignoreUndefined: true,
    retryWrites: false,
    retryReads: true,
    serverSelectionTimeoutMS: 2000,
    connectTimeoutMS: 2000,
    // A server that is silent on open connections counts as away after this and the time above.
    heartbeatFrequencyMS: 3000,
    socketTimeoutMS: 30_000,
    minHeartbeatFrequencyMS: 100,
    maxPoolSize: 20,
  });
  return { db: client.db(name), connect: async () => void (await client.connect()), close: () => client.close() };
}

/** Never unique: removed documents leave tombstones without fields. What must be unique is reserved. */
export interface IndexSpec {
  readonly key: Readonly<Record<string, 1 | -1>>;
}

/** Indexes, each with its name, by the names of their collections. */
export type CollectionIndexes = Readonly<Record<string, readonly { key: IndexSpecification; name: string }[]>>;

/** The indexes of projections. */
export function indexesOf(
  projections: readonly { collection: string; indexes: readonly IndexSpec[] }[],
): CollectionIndexes {
  return Object.fromEntries(
    projections.map(({ collection, indexes }) => [
      collection,
      indexes.map(({ key }) => ({ key: { ...key }, name: nameOf(key) })),
    ]),
  );
}

/**
 * Creates the indexes that are missing, each by a command of its own: FerretDB ends the connection on which several are
 * asked for that are there already (its issue 3858).
 */
export async function createIndexes(db: Db, wanted: CollectionIndexes): Promise<void> {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  const there = new Set(collections.map(({ name }) => name));
  await Promise.all(
    Object.entries(wanted).map(async ([collection, indexes]) => {
      const known = there.has(collection) ? await db.collection(collection).indexes() : [];
      const isThere = new Set(known.map(({ name, key }) => `${name ?? ''} ${JSON.stringify(key)}`));
      for (const { key, name } of indexes)
        if (!isThere.has(`${name} ${JSON.stringify(key)}`)) await db.collection(collection).createIndex(key, { name });
    }),
  );
}

function nameOf(key: IndexSpec['key']): string {
  return Object.entries(key)
    .map(([field, direction]) => `${field}_${direction}`)
    .join('_');
}

/** A statement of the `update` command, which changes nothing when it comes a second time. */
export interface UpdateStatement {
  q: Document;
  u: Document;
  upsert?: true;
  multi?: true;
}

interface Outcome {
  refused: WriteError | undefined;
  /** Some statements may not have been tried. */
  doubtful: boolean;
}

interface WriteError {
  code: number;
  errmsg: string;
}

/** An upsert that meets a document with its `_id` which its filter leaves out: somebody has written a newer one. */
const alreadyThere = 11000;

/**
 * Carries out all statements, in no order, with one command. Throws `AppError('unexpected')` when the database refuses
 * a document.
 *
 * MongoDB goes on behind an error of an unordered command. FerretDB stops there, and does not say where that was (its
 * issue 2612). What may have been left out is sent again one by one.
 */
export async function update(
  db: Pick<Db, 'command'>,
  collection: string,
  updates: readonly UpdateStatement[],
): Promise<void> {
  const { refused, doubtful } = await attempt(db, collection, updates);
  if (refused !== undefined)
    throw new AppError('unexpected', [], {
      message: `${collection} refuses a document (${refused.code}: ${refused.errmsg.slice(0, 200)})`,
    });
  if (doubtful) for (const one of updates) await update(db, collection, [one]);
}

async function attempt(
  db: Pick<Db, 'command'>,
  collection: string,
  updates: readonly UpdateStatement[],
): Promise<Outcome> {
  const { n = 0, writeErrors = [] } = (await db.command({ update: collection, updates, ordered: false })) as {
    n?: number;
    writeErrors?: WriteError[];
  };
  const refused = writeErrors.find(({ code }) => code !== alreadyThere);
  // What its filter leaves out, and is no upsert, counts nowhere: then nothing is missing, but that cannot be told.
  return { refused, doubtful: writeErrors.length > 0 && n + writeErrors.length < updates.length };
}

interface Connection {
  readonly socket: Socket;
}
type Write = (this: Connection, command: unknown, options: unknown) => Promise<void>;

const load = createRequire(import.meta.url);
const guarded = new WeakSet<object>();

/**
 * The driver (7.9.0) waits for ever for a command that it writes to a socket which is being closed: such a write is
 * refused without an event, and the driver knows only `drain` and `error`. Where that is the heartbeat, the server is
 * never seen again. Makes the close of the socket fail the command, in all clients of the process; once.
 * @throws Error when the driver is not built the way this counts on: another version needs another look.
 */
export function failWritesToClosedSockets(): void {
  const { Connection } = load('mongodb/lib/cmap/connection.js') as {
    Connection?: { prototype: { writeCommand?: Write } };
  };
  const write = Connection?.prototype.writeCommand;
  if (Connection === undefined || write === undefined)
    throw new Error('This version of the MongoDB driver writes its commands in another way');
  if (guarded.has(Connection)) return;
  guarded.add(Connection);
  Connection.prototype.writeCommand = async function writeUnlessClosed(command, options) {
    const { socket } = this;
    let fail = (): void => undefined;
    const closed = new Promise<never>((_, reject) => {
      fail = () => reject(new MongoNetworkError('the socket was closed'));
      socket.once('close', fail);
      if (socket.closed) fail();
    });
    try {
      await Promise.race([write.call(this, command, options), closed]);
    } finally {
      socket.off('close', fail);
    }
  };
}

/** Positions are stored as 64-bit integers; the driver hands small ones back as numbers. */
export function positionFrom(stored: unknown): bigint {
  return typeof stored === 'number' ? BigInt(stored) : Long.isLong(stored) ? stored.toBigInt() : -1n;
}
