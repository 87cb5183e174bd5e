import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Binary, MongoClient, type Document } from 'mongodb';
import { randomFrom, seedOfRun } from '../test/random.js';
import { startMongoServer } from './server.js';
import { failureOf, type AnyDocument } from './test/fixture.js';
import { scramClient } from './test/scram-client.js';

const MESSAGES = Number(process.env['HOSTILE_FRAMES'] ?? 1_000);

/** The server of CONFORMANCE_MONGODB_URL when its URL names a user of the database `admin`, else an embedded one. */
const given = /:[^@/]+@/.test(process.env['CONFORMANCE_MONGODB_URL'] ?? '')
  ? process.env['CONFORMANCE_MONGODB_URL']
  : undefined;
let url = given ?? '';
let stop = (): Promise<void> => Promise.resolve();
beforeAll(async () => {
  if (given !== undefined) return;
  const server = await startMongoServer();
  url = server.url;
  stop = () => server.stop();
});
afterAll(() => stop());

const open: MongoClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

/** A client with one connection, so that commands follow each other on it. */
function clientOf(address: string): MongoClient {
  const client = new MongoClient(address, { maxPoolSize: 1, serverSelectionTimeoutMS: 5_000 });
  open.push(client);
  return client;
}
const parts = () => {
  const [, user = '', password = ''] = /\/\/([^:]*):([^@]*)@/.exec(url) ?? [];
  return { user: decodeURIComponent(user), password: decodeURIComponent(password) };
};
const withoutCredentials = () => url.replace(/\/\/[^@]*@/, '//');
const as = (user: string, password: string) =>
  url.replace(/\/\/[^@]*@/, `//${encodeURIComponent(user)}:${encodeURIComponent(password)}@`);
const anonymous = () => clientOf(withoutCredentials()).db('admin');

const start = (payload: string, more: Document = {}) => ({
  saslStart: 1,
  mechanism: 'SCRAM-SHA-256',
  payload: new Binary(Buffer.from(payload)),
  options: { skipEmptyExchange: true },
  ...more,
});
const goOn = (payload: string, conversationId: unknown = 1) => ({
  saslContinue: 1,
  conversationId,
  payload: new Binary(Buffer.from(payload)),
});
const textOf = (answer: Document) => Buffer.from((answer['payload'] as Binary).buffer).toString();
const isDenied = (db: ReturnType<typeof anonymous>) =>
  failureOf(db.collection('c').findOne({})).then(({ code }) => code === 13);

describe('clients with the right credentials', () => {
  it('read and write, and are shown who they are', async () => {
    const client = clientOf(url);
    const collection = client.db('authentication').collection<{ _id: number }>('c');
    await collection.insertOne({ _id: 1 });
    expect(await collection.findOne({})).toEqual({ _id: 1 });
    expect(await client.db('admin').command({ connectionStatus: 1 })).toMatchObject({
      authInfo: { authenticatedUsers: [{ user: parts().user, db: 'admin' }] },
    });
    await client.db('authentication').dropDatabase();
  });

  it('are found under each form of the exchange', async () => {
    for (const options of [{ skipEmptyExchange: true }, { skipEmptyExchange: false }, undefined]) {
      const db = anonymous();
      const scram = scramClient(parts().user, parts().password);
      const first = await db.command(start(scram.first, { options }));
      expect(first).toMatchObject({ done: false });
      const last = await db.command(goOn(scram.final(textOf(first)), first['conversationId']));
      expect(textOf(last)).toMatch(/^v=/);
      if (last['done'] !== true) {
        expect(options?.skipEmptyExchange).not.toBe(true);
        expect(await db.command(goOn('', first['conversationId']))).toMatchObject({ done: true });
      }
      expect(await db.collection<AnyDocument>('c').findOne({ _id: -1 })).toBeNull();
    }
  });

  it('are nobody after they have logged out', async () => {
    const db = clientOf(url).db('admin');
    await db.command({ logout: 1 });
    expect(await isDenied(db)).toBe(true);
  });
});

describe('clients without credentials', () => {
  it('are refused every command that touches data', async () => {
    const db = anonymous();
    const commands = [
      { find: 'c' },
      { insert: 'c', documents: [{ _id: 1 }] },
      { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } } }] },
      { delete: 'c', deletes: [{ q: {}, limit: 0 }] },
      { findAndModify: 'c', query: {}, remove: true },
      { aggregate: 'c', pipeline: [], cursor: {} },
      { count: 'c' },
      { distinct: 'c', key: 'a' },
      { explain: { find: 'c' } },
      { getMore: 1n, collection: 'c' },
      { create: 'c' },
      { drop: 'c' },
      { dropDatabase: 1 },
      { renameCollection: 'admin.c', to: 'admin.d' },
      { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a_1' }] },
      { listIndexes: 'c' },
      { dropIndexes: 'c', index: '*' },
      { listCollections: 1 },
      { listDatabases: 1 },
      { dbStats: 1 },
      { compact: 'c' },
      { serverStatus: 1 },
      { getParameter: '*' },
    ];
    for (const command of commands) {
      const [name = ''] = Object.keys(command);
      expect(await failureOf(db.command(command))).toMatchObject({
        code: 13,
        codeName: 'Unauthorized',
        message: `Command ${name} requires authentication`,
      });
    }
  });

  it('may ask whether the server is there and how to authenticate', async () => {
    const db = anonymous();
    expect(await db.command({ ping: 1 })).toMatchObject({ ok: 1 });
    const { saslSupportedMechs } = await db.command({ hello: 1, saslSupportedMechs: `admin.${parts().user}` });
    expect(saslSupportedMechs).toContain('SCRAM-SHA-256');
    expect(await db.command({ connectionStatus: 1 })).toMatchObject({ authInfo: { authenticatedUsers: [] } });
  });
});

describe('clients with wrong credentials', () => {
  it.each([
    ['wrong password', () => as(parts().user, 'wrong')],
    ['unknown user', () => as('nobody', parts().password)],
    ['user of another database', () => `${url}&authSource=elsewhere`],
  ])('are refused: %s', async (_what, address) => {
    expect(await failureOf(clientOf(address()).db('admin').command({ ping: 1 }))).toMatchObject({
      code: 18,
      codeName: 'AuthenticationFailed',
      message: 'Authentication failed.',
    });
  });
});

describe('an exchange that no client has', () => {
  it('ends with an error when its steps are out of order', async () => {
    const db = anonymous();
    const { user, password } = parts();
    expect(await failureOf(db.command(goOn('c=biws,r=x,p=x')))).toMatchObject({ code: 17 });
    const scram = scramClient(user, password);
    const first = await db.command(start(scram.first));
    expect(await failureOf(db.command(goOn(scram.final(textOf(first)), 7)))).toMatchObject({ code: 17 });
    expect(await isDenied(db)).toBe(true);
    expect(await failureOf(db.command(start(scram.first, { mechanism: 'NONE' })))).toMatchObject({ code: 334 });
  });

  it('proves nothing with the messages of an earlier one', async () => {
    const db = anonymous();
    const scram = scramClient(parts().user, parts().password);
    const proof = scram.final(textOf(await db.command(start(scram.first))));
    await db.command(start(scram.first));
    expect(await failureOf(db.command(goOn(proof)))).toMatchObject({ code: 18 });
    // The exchange ended with that: the right proof comes too late.
    expect(await failureOf(db.command(goOn(proof)))).toMatchObject({ code: 17 });
    expect(await isDenied(db)).toBe(true);
  });

  it('opens nothing, whatever bytes it has', async () => {
    const random = randomFrom(seedOfRun('authentication'));
    const db = anonymous();
    const { user, password } = parts();
    const changed = (text: string): string => {
      const bytes = Buffer.from(text);
      for (let flips = 1 + random(3); flips > 0; flips -= 1) bytes[random(bytes.length)] = random(256);
      return random(5) === 0 ? bytes.subarray(0, random(bytes.length)).toString('latin1') : bytes.toString('latin1');
    };
    const codes = new Set<unknown>();
    for (let i = 0; i < MESSAGES; i += 1) {
      const scram = scramClient(random(4) === 0 ? changed(user) : user, 'not the password', `n${i}`);
      const first = await db
        .command(start(random(4) === 0 ? changed(scram.first) : scram.first))
        .catch((error: unknown) => ({ payload: new Binary(), failed: error }));
      const last = scram.final(textOf(first));
      codes.add((await failureOf(db.command(goOn(random(2) === 0 ? changed(last) : last)))).code);
    }
    expect([...codes].every((code) => code === 17 || code === 18)).toBe(true);
    expect(await isDenied(db)).toBe(true);
    const scram = scramClient(user, password);
    const first = await db.command(start(scram.first));
    expect(await db.command(goOn(scram.final(textOf(first))))).toMatchObject({ done: true });
    expect(await db.collection<AnyDocument>('c').findOne({ _id: -1 })).toBeNull();
  });
});

it('ends the connection of a client that sends large messages before it has authenticated', async () => {
  if (given !== undefined) return;
  const db = anonymous();
  await db.command({ ping: 1 });
  const failure = await failureOf(db.command({ ping: 1, comment: 'x'.repeat(20_000) }));
  expect(failure.message).toContain('closed');
  expect(await db.command({ ping: 1 })).toMatchObject({ ok: 1 });
});
