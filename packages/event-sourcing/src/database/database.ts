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
} from 'mongodb';
import { isAccessDenied } from '../events/client-errors.js';
import { failWritesToClosedSockets } from './closed-sockets.js';

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
    socketTimeoutMS: 30_000,
    heartbeatFrequencyMS: 1000,
    minHeartbeatFrequencyMS: 100,
    maxPoolSize: 20,
  });
  return { db: client.db(name), connect: async () => void (await client.connect()), close: () => client.close() };
}

/** Never unique: removed documents leave tombstones without fields. What must be unique is reserved. */
export interface IndexSpec {
  readonly key: Readonly<Record<string, 1 | -1>>;
}

/** Creates the indexes that a projection misses. */
export function ensureIndexes(db: Db, collection: string, indexes: readonly IndexSpec[]): Promise<void> {
  return createIndexes(
    db.collection(collection),
    indexes.map(({ key }) => ({ key: { ...key }, name: nameOf(key) })),
  );
}

/**
 * Creates the indexes that are missing. One by one: a command that names several which are there already ends the
 * connection to FerretDB (its issue 3858).
 */
export async function createIndexes<T extends Document>(
  collection: Collection<T>,
  indexes: readonly { key: IndexSpecification; name: string }[],
): Promise<void> {
  for (const { key, name } of indexes) await collection.createIndex(key, { name });
}

function nameOf(key: IndexSpec['key']): string {
  return Object.entries(key)
    .map(([field, direction]) => `${field}_${direction}`)
    .join('_');
}
