import { mongoForTests, type TestServer } from '@scriptorium/embedded/test-servers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Binary, type Db, MongoClient } from 'mongodb';
import { type Blobs } from '../port/blobs.js';
import { bytesOf, gather, inPieces, sha256 } from '../test/bytes.js';
import { soon } from '../test/contract.js';
import { everythingIn } from '../test/stores.js';
import { CHUNK_BYTES, type Collections, collectionsOf } from './collections.js';
import { draftIn } from './draft.js';
import { mongoBlobs } from './mongo-blobs.js';

const POOL = 'pool';
const bytes = bytesOf(3 * CHUNK_BYTES);
const hash = sha256(bytes);

let server: TestServer<unknown>;
let client: MongoClient;
let database: Db;
let collections: Collections;
let blobs: Blobs;
beforeAll(async () => {
  server = await mongoForTests();
  client = new MongoClient(server.url);
});
beforeEach(() => {
  database = client.db(`blobs_${randomUUID().slice(0, 8)}`);
  collections = collectionsOf(database);
  blobs = mongoBlobs({ url: server.url, database: database.databaseName });
});
afterEach(async () => {
  await blobs.close();
  if (server.given) await database.dropDatabase();
});
afterAll(async () => {
  await client.close();
  await server.stop();
});

const stored = () => everythingIn({ kind: 'mongodb', options: { url: server.url, database: database.databaseName } });
const sweepAll = () => blobs.sweep({ olderThan: Date.now() + 1_000 });

describe('blobs in MongoDB', () => {
  it('say that they are damaged when a chunk is missing or too short', async () => {
    await blobs.write(POOL, inPieces(bytes), soon());
    const [, second] = await collections.chunks.find({}, { sort: { _id: 1 } }).toArray();
    await collections.chunks.updateOne({ _id: second?._id ?? '' }, { $set: { bytes: new Binary(new Uint8Array(9)) } });
    const read = await blobs.read(POOL, hash);
    await expect(gather(read?.stream ?? inPieces(bytes))).rejects.toMatchObject({ code: 'damaged' });
    await collections.chunks.deleteOne({ _id: second?._id ?? '' });
    const again = await blobs.read(POOL, hash, { start: CHUNK_BYTES, end: CHUNK_BYTES + 1 });
    await expect(gather(again?.stream ?? inPieces(bytes))).rejects.toMatchObject({ code: 'damaged' });
  });

  it('end for a reader when they are removed', async () => {
    await blobs.write(POOL, inPieces(bytes), soon());
    const read = await blobs.read(POOL, hash);
    await blobs.remove(POOL, [hash]);
    await expect(gather(read?.stream ?? inPieces(bytes))).rejects.toMatchObject({ code: 'damaged' });
  });

  it('stay when their writer ended between the name and the end', async () => {
    await blobs.write(POOL, inPieces(bytes), soon());
    const blob = await collections.blobs.findOne({});
    await collections.pending.insertOne({ _id: `${POOL}/${blob?.upload ?? ''}`, begun: new Date(0), hash });
    expect(await sweepAll()).toBe(0);
    expect((await gather((await blobs.read(POOL, hash))?.stream ?? inPieces(new Uint8Array()))).equals(bytes)).toBe(
      true,
    );
    expect(await collections.pending.countDocuments()).toBe(0);
  });

  it('are removed to the last chunk when who removed them ended half-way', async () => {
    await blobs.write(POOL, inPieces(bytes), soon());
    const blob = await collections.blobs.findOne({});
    await collections.pending.insertOne({ _id: `${POOL}/${blob?.upload ?? ''}`, begun: new Date(0), hash });
    await collections.blobs.deleteMany({});
    expect(await sweepAll()).toBe(1);
    expect(await stored()).toEqual([]);
  });

  it('do not lose the chunks of the one that is kept when another of the same bytes is swept', async () => {
    const late = await draftIn(collections, POOL);
    await late.append(bytes);
    await blobs.write(POOL, inPieces(bytes), soon());
    await collections.pending.updateMany({}, { $set: { hash } });
    expect(await sweepAll()).toBe(1);
    await expect(late.publish(hash, bytes.byteLength)).rejects.toMatchObject({ code: 'interrupted' });
    await late.discard();
    expect((await gather((await blobs.read(POOL, hash))?.stream ?? inPieces(new Uint8Array()))).equals(bytes)).toBe(
      true,
    );
  });

  it('get no name once a sweep has begun to remove them', async () => {
    const late = await draftIn(collections, POOL);
    await late.append(bytes);
    await collections.pending.updateMany({}, { $set: { swept: true } });
    await expect(late.publish(hash, bytes.byteLength)).rejects.toMatchObject({ code: 'interrupted' });
    await late.discard();
    expect(await stored()).toEqual([]);
  });

  it('are refused in time when the server is away', async () => {
    const away = mongoBlobs({ url: 'mongodb://127.0.0.1:9', database: 'none' });
    await expect(away.write(POOL, inPieces(bytes), soon())).rejects.toMatchObject({ code: 'store_failed' });
    await expect(away.stat(POOL, hash)).rejects.toMatchObject({ code: 'store_failed' });
    await away.close();
  });
});
