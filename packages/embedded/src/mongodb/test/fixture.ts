import { MongoClient, type Db } from 'mongodb';
import { startMongoServer } from '../server.js';

/** A client of the server under test and a database of its own. */
export interface Fixture {
  readonly client: MongoClient;
  readonly db: Db;
  readonly url: string;
  close(): Promise<void>;
}

let databases = 0;

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
export async function failureOf(promise: Promise<unknown>): Promise<{ code?: number; codeName?: string; message: string; [field: string]: unknown }> {
  try {
    await promise;
  } catch (error) {
    return error as { message: string };
  }
  throw new Error('expected a rejection');
}
