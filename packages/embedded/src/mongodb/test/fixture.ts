import { MongoClient, type Db, type Document } from 'mongodb';
import { startMongoServer } from '../server.js';

/** A document with an id of any type, which the driver takes for an ObjectId unless it is told. */
export interface AnyDocument extends Document {
  _id?: object | string | number | boolean | null;
}

/** A client of the server under test and a database of its own. */
export interface Fixture {
  readonly client: MongoClient;
  readonly db: Db;
  readonly url: string;
  close(): Promise<void>;
}

let databases = 0;

/**
 * Whether the server of CONFORMANCE_MONGODB_URL is known to lack something that a spec would otherwise put into the
 * data of all its cases (named, separated by commas, in CONFORMANCE_MONGODB_LACKS). The embedded server and MongoDB
 * lack none of it.
 */
export function lacks(feature: 'decimal128' | 'nan' | 'nested-arrays' | 'partial-indexes'): boolean {
  return (process.env['CONFORMANCE_MONGODB_LACKS'] ?? '').split(',').includes(feature);
}

/** Connects to CONFORMANCE_MONGODB_URL when it is set, else to an embedded server started for the caller. */
export async function connect(): Promise<Fixture> {
  const given = process.env['CONFORMANCE_MONGODB_URL'];
  const server = given === undefined ? await startMongoServer() : undefined;
  const url = given ?? server?.url ?? '';
  const client = await new MongoClient(url).connect();
  databases += 1;
  const db = client.db(`conformance_${process.pid}_${Date.now().toString(36)}_${databases}`);
  return {
    client,
    db,
    url,
    close: async () => {
      await db.dropDatabase();
      await client.close();
      await server?.stop();
    },
  };
}

/** What a promise is rejected with; fails when it is not. */
export async function failureOf(
  promise: Promise<unknown>,
): Promise<{ code?: number; codeName?: string; message: string; [field: string]: unknown }> {
  try {
    await promise;
  } catch (error) {
    return error as { message: string };
  }
  throw new Error('expected a rejection');
}
