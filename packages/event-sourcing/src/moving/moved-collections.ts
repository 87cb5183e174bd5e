import { AppError } from '@scriptorium/contracts';
import { asAppError } from '../database/database.js';
import { type Collection, type Db, type Document, MongoClient } from 'mongodb';

/** A collection that is copied, and those of its documents that are. */
export interface MovedCollection {
  /** `<database>.<collection>`. */
  name: string;
  database: string;
  collection: Collection;
  filter: Document;
}

const readModel = /_v\d+$/;
/** What is made again. */
const leftOut: ReadonlySet<string> = new Set(['op_snapshots', 'op_gone', 'op_takeovers']);

/** Everything that is not made again from the log. Read models stay behind, and so do their checkpoints. */
export async function movedCollections(client: MongoClient, namespace: string): Promise<MovedCollection[]> {
  const found: MovedCollection[] = [];
  for (const database of await databasesIn(client, namespace)) {
    const db = client.db(database);
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    const readModels = names.filter((name) => readModel.test(name) && !name.startsWith('op_'));
    for (const name of names.sort())
      if (!leftOut.has(name) && !readModels.includes(name))
        found.push({
          name: `${database}.${name}`,
          database,
          collection: db.collection(name),
          filter: name === 'op_consumers' ? { _id: { $nin: readModels } } : {},
        });
  }
  return found;
}

/** The databases of the services of an installation. */
export async function databasesIn(client: MongoClient, namespace: string): Promise<string[]> {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  const names = databases.map(({ name }) => name).filter((name) => name.startsWith(`${namespace}_`));
  return names.filter((name) => name !== movingIn(namespace)).sort();
}

/** The name of the database in which a move that is not finished keeps how far it is. */
export function movingIn(namespace: string): string {
  return `${namespace}_moving`;
}

/** The leases of a service. */
export function consumersIn(db: Db): Collection<{ _id: string; owner: string | null; epoch: number; beat: unknown }> {
  return db.collection('op_consumers');
}

/** Whether names of servers, as `mongodb+srv://` has them, could not be looked up. */
function isLookup(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && /^query/.test(String(error.syscall));
}

/** Connects to a server for the time of some work. @throws AppError `unavailable` when it does not answer */
export async function withClient<T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, {
    serverSelectionTimeoutMS: 5_000,
    connectTimeoutMS: 5_000,
    socketTimeoutMS: 60_000,
  });
  try {
    return await work(client);
  } catch (error) {
    throw isLookup(error)
      ? new AppError('unavailable', [], { message: `MongoDB cannot be found: ${error.message}`, cause: error })
      : asAppError(error);
  } finally {
    await client.close();
  }
}
