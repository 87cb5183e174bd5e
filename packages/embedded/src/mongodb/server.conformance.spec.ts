import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GridFSBucket, Long, type Document } from 'mongodb';
import { connect, failureOf, type Fixture } from './test/fixture.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await connect();
});
afterAll(() => fixture.close());

describe('the handshake', () => {
  it('says it is a standalone server', async () => {
    const hello = await fixture.db.command({ hello: 1 });
    expect(hello).toMatchObject({
      isWritablePrimary: true,
      maxBsonObjectSize: 16777216,
      maxMessageSizeBytes: 48000000,
      readOnly: false,
    });
    expect(hello).not.toHaveProperty('setName');
    expect(hello).not.toHaveProperty('topologyVersion');
    expect((await fixture.db.admin().buildInfo())['version']).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await fixture.db.admin().ping()).toMatchObject({ ok: 1 });
    expect(await fixture.db.command({ connectionStatus: 1 })).toHaveProperty('authInfo');
    expect(await fixture.db.admin().serverStatus()).toHaveProperty('connections');
  });

  it.each<[number, Document]>([
    [59, { nope: 1 }],
    [40415, { ping: 1, what: 1 }],
    [14, { find: 'c', filter: 5 }],
    [73, { find: '' }],
    [2, { find: 'c', collation: { locale: 'de' } }],
    [2, { find: 'c', tailable: true }],
  ])('refuses with %d: %j', async (code, command) => {
    await fixture.db.collection('c').insertOne({});
    expect(await failureOf(fixture.db.command(command))).toMatchObject({ code });
  });

  it('refuses transactions and change streams as a standalone server does', async () => {
    const session = fixture.client.startSession();
    session.startTransaction();
    // The driver words code 20 of a standalone server itself.
    const refused = await failureOf(fixture.db.collection('c').insertOne({}, { session }));
    expect(refused.message).toMatch(/does not support retryable writes|Transaction numbers/);
    const raw = {
      insert: 'c',
      documents: [{}],
      lsid: { id: session.id?.['id'] as unknown },
      txnNumber: Long.fromNumber(1),
      autocommit: false,
      startTransaction: true,
    };
    expect((await failureOf(fixture.db.command(raw))).message).toMatch(/retryable writes|Transaction numbers/);
    await session.abortTransaction().catch(() => undefined);
    await session.endSession();
    const stream = fixture.db.collection('c').watch();
    expect(await failureOf(stream.next())).toMatchObject({ code: 40573 });
    await stream.close();
  });

  it('accepts sessions', async () => {
    await fixture.client.withSession(async (session) => {
      await fixture.db.collection('sessions').insertOne({ a: 1 }, { session });
      expect(await fixture.db.collection('sessions').countDocuments({}, { session })).toBe(1);
    });
  });
});

describe('collections and databases', () => {
  it('creates, lists, renames, measures and drops', async () => {
    const db = fixture.client.db(`${fixture.db.databaseName}_admin`);
    await db.createCollection('b');
    await db.collection('a').insertOne({ x: 1 });
    expect(await failureOf(db.createCollection('b'))).toMatchObject({ code: 48 });
    expect((await db.listCollections().toArray()).map((c) => c.name).sort()).toEqual(['a', 'b']);
    expect(await db.listCollections({ name: 'a' }, { nameOnly: true }).toArray()).toEqual([
      { name: 'a', type: 'collection' },
    ]);
    await db.collection('a').createIndex({ x: 1 });
    await db.collection('a').rename('c');
    expect(await db.collection('c').find({ x: 1 }).toArray()).toHaveLength(1);
    expect(await db.collection('a').countDocuments()).toBe(0);
    expect(await failureOf(db.collection('c').rename('b'))).toMatchObject({ code: 48 });
    await db.collection('c').rename('b', { dropTarget: true });
    expect(await db.collection('b').indexes()).toHaveLength(2);
    expect(await db.stats()).toMatchObject({ collections: 1, objects: 1, indexes: 2 });
    expect(await db.command({ collStats: 'b' })).toMatchObject({ count: 1, nindexes: 2 });
    expect((await db.admin().listDatabases()).databases.map((d) => d.name)).toContain(db.databaseName);
    expect(await db.collection('b').drop()).toBe(true);
    await db.collection('d').insertOne({});
    await db.dropDatabase();
    expect(await db.listCollections().toArray()).toEqual([]);
  });

  it('starts anew after a drop', async () => {
    const c = fixture.db.collection<{ _id: number; a: number }>('again');
    await c.createIndex({ a: 1 }, { unique: true });
    await c.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 2 },
    ]);
    await c.drop();
    await c.insertMany([
      { _id: 1, a: 1 },
      { _id: 2, a: 1 },
    ]);
    expect(await c.countDocuments({ a: 1 })).toBe(2);
    expect(await c.estimatedDocumentCount()).toBe(2);
  });
});

describe('GridFS', () => {
  it('stores and streams a large file, finds, renames and deletes it', async () => {
    const bucket = new GridFSBucket(fixture.db, { bucketName: 'files' });
    const bytes = randomBytes(12 * 1024 * 1024 + 17);
    const upload = bucket.openUploadStream('big.bin', { metadata: { kind: 'test' } });
    await finished(Readable.from([bytes.subarray(0, 5_000_000), bytes.subarray(5_000_000)]).pipe(upload));
    const hash = createHash('sha256');
    for await (const chunk of bucket.openDownloadStream(upload.id)) hash.update(chunk as Buffer);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    const part: Buffer[] = [];
    for await (const chunk of bucket.openDownloadStreamByName('big.bin', { start: 1_000_000, end: 1_000_010 }))
      part.push(chunk as Buffer);
    expect(Buffer.concat(part)).toEqual(bytes.subarray(1_000_000, 1_000_010));
    await bucket.rename(upload.id, 'other.bin');
    expect(await bucket.find({ filename: 'other.bin' }).toArray()).toMatchObject([
      { length: bytes.length, metadata: { kind: 'test' } },
    ]);
    await bucket.delete(upload.id);
    expect(await fixture.db.collection('files.chunks').countDocuments()).toBe(0);
  });
});

describe('messages', () => {
  it('takes a bulk of many megabytes', async () => {
    const c = fixture.db.collection('bulky');
    await c.insertMany(Array.from({ length: 40 }, (_, i) => ({ i, t: 'x'.repeat(1_000_000) })));
    expect((await c.find().toArray()).reduce((sum, d) => sum + (d['t'] as string).length, 0)).toBe(40_000_000);
  });

  it('serves many clients at once', async () => {
    const c = fixture.db.collection<{ _id: string; n: number }>('many');
    await Promise.all(
      Array.from({ length: 400 }, (_, i) =>
        c
          .updateOne({ _id: `k${i % 20}` }, { $inc: { n: 1 } }, { upsert: true })
          .catch(() => c.updateOne({ _id: `k${i % 20}` }, { $inc: { n: 1 } })),
      ),
    );
    expect((await c.find().toArray()).reduce((sum, d) => sum + d.n, 0)).toBe(400);
  });
});
