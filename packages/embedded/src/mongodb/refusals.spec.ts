import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { startMongoServer, type MongoServer } from './server.js';
import { failureOf } from './test/fixture.js';

let server: MongoServer;
beforeAll(async () => {
  server = await startMongoServer();
});
afterAll(() => server.stop());

/** Runs work with a client of these options; answers how it failed, and within how many ms. */
async function refusalOf(options: MongoClientOptions, work: (db: Db, client: MongoClient) => Promise<unknown>) {
  const client = new MongoClient(server.url, options);
  const began = performance.now();
  try {
    const { code, message } = await failureOf(work(client.db('d'), client));
    return { code, message, took: performance.now() - began };
  } finally {
    await client.close(true);
  }
}

/** A driver tries for 30 s to connect: what it asks for must not be refused by silence. */
const quickly = 10_000;

describe('a client that asks for what this server does not have', () => {
  it.each<[string, number, RegExp, MongoClientOptions, (db: Db, client: MongoClient) => Promise<unknown>]>([
    [
      'the strict API',
      238,
      /apiStrict' is not supported by this server/,
      { serverApi: { version: '1', strict: true } },
      (db) => db.collection('c').insertOne({}),
    ],
    [
      'a transaction that reads',
      20,
      /Transaction numbers are only allowed on a replica set/,
      {},
      async (db, client) =>
        client.withSession((session) => session.withTransaction(() => db.collection('c').findOne({}, { session }))),
    ],
    [
      'a transaction that writes',
      20,
      /does not support retryable writes|Transaction numbers/,
      {},
      async (db, client) =>
        client.withSession((session) => session.withTransaction(() => db.collection('c').insertOne({}, { session }))),
    ],
    ['the end of a transaction', 59, /commitTransaction/, {}, (_db, client) => admin(client, 'commitTransaction')],
    [
      'a snapshot',
      123,
      /snapshot/,
      {},
      (db, client) => db.collection('c').findOne({}, { session: client.startSession({ snapshot: true }) }),
    ],
    ['changes', 40573, /changeStream/, {}, (db) => db.collection('c').watch().next()],
    ['another mechanism', 334, /SCRAM-SHA-1/, { authMechanism: 'SCRAM-SHA-1' }, (db) => db.collection('c').findOne({})],
    ['a search index', 59, /createSearchIndexes/, {}, (db) => db.collection('c').createSearchIndex({ definition: {} })],
    ['a user', 59, /createUser/, {}, (db) => db.command({ createUser: 'u', pwd: 'p', roles: [] })],
  ])('is told so at once: %s', async (_what, code, message, options, work) => {
    const refused = await refusalOf(options, work);
    expect(refused.message).toMatch(message);
    expect(refused.code ?? code).toBe(code);
    expect(refused.took).toBeLessThan(quickly);
  });

  it('may ask for the first version of the API, which is the only one', async () => {
    const client = new MongoClient(server.url, { serverApi: { version: '1', deprecationErrors: true } });
    expect(await client.db('d').collection('c').insertOne({})).toMatchObject({ acknowledged: true });
    await client.close();
  });

  it('hears of an option that is no truth value also in the handshake', async () => {
    const client = new MongoClient(server.url);
    const hello = (apiStrict: unknown) => client.db('admin').command({ hello: 1, apiVersion: '1', apiStrict });
    expect(await hello(true)).toMatchObject({ ok: 1 });
    expect(await failureOf(hello('yes'))).toMatchObject({ code: 14 });
    await client.close();
  });
});

const admin = (client: MongoClient, command: string) => client.db('admin').command({ [command]: 1 });
