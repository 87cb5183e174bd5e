import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Decimal128, Double, Int32, Long, type MongoBulkWriteError, ObjectId, Timestamp, type Document } from 'mongodb';
import { connect, failureOf, type AnyDocument, type Fixture } from './test/fixture.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await connect();
});
afterAll(() => fixture.close());

const fresh = () => fixture.db.collection<AnyDocument>(`c${new ObjectId().toHexString()}`);

/** What an update makes of a document. */
async function updated(doc: Document, update: Document, options: Document = {}): Promise<Document | null> {
  const c = fresh();
  const _id = 1;
  await c.insertOne({ _id, ...doc });
  await c.updateOne({ _id, ...(options['q'] as Document | undefined) }, update, options);
  const found = await c.findOne({ _id });
  delete (found as Document)['_id'];
  return found;
}

describe('insert', () => {
  it('adds an _id, puts it first and keeps the order of fields', async () => {
    const c = fresh();
    await fixture.db.command({
      insert: c.collectionName,
      documents: [
        { b: 1, 2: 'two', a: { z: 1, 1: 2 } },
        { x: 1, _id: 'late' },
      ],
    });
    const [first, second] = await c.find().sort({ x: 1 }).toArray();
    expect(first?._id).toBeInstanceOf(ObjectId);
    expect(Object.keys(second as Document)).toEqual(['_id', 'x']);
  });

  it('reports duplicates with key pattern and value, ordered and unordered', async () => {
    const c = fresh();
    await c.insertOne({ _id: 1 });
    const ordered = (await failureOf(c.insertMany([{ _id: 2 }, { _id: 1 }, { _id: 3 }]))) as MongoBulkWriteError;
    expect([ordered.code, ordered.insertedCount]).toEqual([11000, 1]);
    const unordered = (await failureOf(
      c.insertMany([{ _id: 1 }, { _id: 4 }, { _id: 2 }, { _id: 5 }], {
        ordered: false,
      }),
    )) as MongoBulkWriteError;
    expect(unordered.insertedCount).toBe(2);
    expect([unordered.writeErrors].flat().map((e) => [e.index, e.code])).toEqual([
      [0, 11000],
      [2, 11000],
    ]);
    const plain = await failureOf(c.insertOne({ _id: 1 }));
    expect(plain).toMatchObject({ code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 1 } });
    expect(plain.message).toContain(
      `E11000 duplicate key error collection: ${c.namespace} index: _id_ dup key: { _id: 1 }`,
    );
  });

  it('refuses unfit documents', async () => {
    const c = fresh();
    expect(await failureOf(c.insertOne({ _id: [1] }))).toMatchObject({ code: 53 });
    expect(await failureOf(fixture.db.command({ insert: c.collectionName, documents: [] }))).toMatchObject({
      code: 16,
    });
    expect(await failureOf(fixture.db.command({ insert: 'a$b', documents: [{}] }))).toMatchObject({ code: 73 });
  });

  it('takes documents up to 16 MB and no more', async () => {
    const c = fresh();
    const most = 16 * 1024 * 1024;
    const shell = 5 + 1 + 4 + 4 + 1 + 2 + 4 + 1;
    const text = 'x'.repeat(most - shell);
    await c.insertOne({ _id: new Int32(1), t: text });
    expect((await c.findOne({}))?.['t']).toHaveLength(text.length);
    expect(await failureOf(c.updateOne({ _id: 1 }, { $set: { more: 'x' } }))).toMatchObject({ code: 17419 });
  });

  it('keeps every BSON type as it was sent', async () => {
    const c = fresh();
    const doc = {
      _id: 1,
      int: new Int32(5),
      double: new Double(5),
      long: Long.fromString('9223372036854775807'),
      decimal: Decimal128.fromString('0.10'),
      stamp: new Timestamp({ t: 5, i: 6 }),
      date: new Date(-5),
      bytes: Buffer.from([1, 2, 3]),
      regex: /a.b/i,
      nothing: null,
      list: [1, [2, [3]]],
      deep: { a: { b: { c: true } } },
    };
    await c.insertOne(doc);
    const raw = await c.findOne({}, { promoteValues: false });
    expect(raw?.['double']).toBeInstanceOf(Double);
    expect(raw?.['int']).toBeInstanceOf(Int32);
    expect(String(raw?.['long'])).toBe('9223372036854775807');
    expect(String(raw?.['decimal'])).toBe('0.10');
    await c.updateOne({ _id: 1 }, { $set: { touched: true } });
    const { touched, ...rest } = (await c.findOne({}, { promoteValues: false })) as Document;
    expect(touched).toBe(true);
    expect(rest).toEqual(raw);
  });
});

describe('update', () => {
  it.each<[string, Document, Document, Document]>([
    [
      '$set, nested and in arrays',
      { a: 1, l: [1, 2] },
      { $set: { 'n.m': 5, 'l.3': 9, a: 2 } },
      { a: 2, l: [1, 2, null, 9], n: { m: 5 } },
    ],
    [
      '$unset',
      { a: 1, n: { x: 1, y: 2 }, l: [1, 2] },
      { $unset: { a: '', 'n.x': '', 'l.0': '', none: '' } },
      { n: { y: 2 }, l: [null, 2] },
    ],
    ['$inc and $mul', { a: 1, b: 2.5 }, { $inc: { a: 2, c: 4 }, $mul: { b: 2, d: 3 } }, { a: 3, b: 5, c: 4, d: 0 }],
    ['$min and $max', { a: 5, b: 5 }, { $min: { a: 3, c: 1 }, $max: { b: 3, d: 2 } }, { a: 3, b: 5, c: 1, d: 2 }],
    ['$rename', { a: 1, n: { x: 2 } }, { $rename: { a: 'b', 'n.x': 'y', none: 'z' } }, { n: {}, b: 1, y: 2 }],
    ['$push', { l: [3] }, { $push: { l: 1, m: 2 } }, { l: [3, 1], m: [2] }],
    [
      '$push with modifiers',
      { l: [{ v: 3 }, { v: 1 }] },
      { $push: { l: { $each: [{ v: 2 }, { v: 0 }], $sort: { v: 1 }, $slice: 3 } } },
      { l: [{ v: 0 }, { v: 1 }, { v: 2 }] },
    ],
    ['$push at a position', { l: [1, 2] }, { $push: { l: { $each: [8, 9], $position: 1 } } }, { l: [1, 8, 9, 2] }],
    ['$addToSet', { l: [1, { a: 1 }] }, { $addToSet: { l: { $each: [1, 2, { a: 1 }, 2] } } }, { l: [1, { a: 1 }, 2] }],
    [
      '$pull by value and condition',
      { l: [1, 2, 3], m: [{ a: 1, b: 1 }, { a: 2 }] },
      { $pull: { l: { $gte: 2 }, m: { a: 1 } } },
      { l: [1], m: [{ a: 2 }] },
    ],
    [
      '$pullAll and $pop',
      { l: [1, 2, 1], m: [1, 2], o: [1, 2] },
      { $pullAll: { l: [1] }, $pop: { m: 1, o: -1 } },
      { l: [2], m: [1], o: [2] },
    ],
    ['$bit', { a: 13 }, { $bit: { a: { and: 10 } } }, { a: 8 }],
    ['new fields in name order', {}, { $set: { b: 1, a: 2 }, $inc: { c: 1 } }, { a: 2, b: 1, c: 1 }],
    ['every element', { l: [{ q: 1 }, { q: 2 }] }, { $inc: { 'l.$[].q': 1 } }, { l: [{ q: 2 }, { q: 3 }] }],
  ])('applies %s', async (_name, before, update, after) => {
    const result = await updated(before, update);
    expect(result).toEqual(after);
    expect(Object.keys(result as Document)).toEqual(Object.keys(after));
  });

  it('applies positional operators', async () => {
    expect(await updated({ l: [{ k: 1 }, { k: 2 }] }, { $set: { 'l.$.v': 'x' } }, { q: { 'l.k': 2 } })).toEqual({
      l: [{ k: 1 }, { k: 2, v: 'x' }],
    });
    expect(await updated({ l: [1, 5, 7] }, { $set: { 'l.$': 0 } }, { q: { l: { $gt: 4 } } })).toEqual({ l: [1, 0, 7] });
    expect(
      await updated(
        { l: [{ k: 1 }, { k: 5 }] },
        { $set: { 'l.$[big].b': true } },
        { arrayFilters: [{ 'big.k': { $gt: 3 } }] },
      ),
    ).toEqual({ l: [{ k: 1 }, { k: 5, b: true }] });
  });

  it('sets the current date', async () => {
    const result = (await updated({}, { $currentDate: { at: true, stamp: { $type: 'timestamp' } } })) as Document;
    expect(Math.abs((result['at'] as Date).getTime() - Date.now())).toBeLessThan(60_000);
    expect(result['stamp']).toBeInstanceOf(Timestamp);
  });

  it('counts what is matched and what is changed', async () => {
    const c = fresh();
    await c.insertMany([{ a: 1 }, { a: 1, b: 2 }, { a: 2 }]);
    expect(await c.updateMany({ a: 1 }, { $set: { b: 2 } })).toMatchObject({ matchedCount: 2, modifiedCount: 1 });
    expect(await c.updateOne({ a: 9 }, { $set: { b: 2 } })).toMatchObject({
      matchedCount: 0,
      modifiedCount: 0,
      upsertedCount: 0,
    });
    expect(await c.replaceOne({ a: 2 }, { r: 1 })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect(await c.deleteMany({ a: 1 })).toMatchObject({ deletedCount: 2 });
    expect(await c.countDocuments()).toBe(1);
  });

  it('upserts from the equalities of the filter', async () => {
    const c = fresh();
    const result = await c.updateOne(
      { _id: 7, 'n.x': 1, g: { $gt: 5 }, $and: [{ z: 3 }] },
      { $set: { a: 1 }, $setOnInsert: { s: 2 } },
      { upsert: true },
    );
    expect(result).toMatchObject({ matchedCount: 0, upsertedCount: 1, upsertedId: 7 });
    expect(await c.findOne()).toEqual({ _id: 7, n: { x: 1 }, z: 3, a: 1, s: 2 });
    await c.updateOne({ _id: 7 }, { $setOnInsert: { s: 9 }, $inc: { a: 1 } }, { upsert: true });
    expect(await c.findOne()).toMatchObject({ a: 2, s: 2 });
    await c.replaceOne({ _id: 8 }, { whole: true }, { upsert: true });
    expect(await c.findOne({ _id: 8 })).toEqual({ _id: 8, whole: true });
  });

  it.each<[number, Document, Document]>([
    [9, { a: 1 }, { $nope: { a: 1 } }],
    [9, { a: 1 }, { $set: 5 }],
    [14, { a: 'x' }, { $inc: { a: 1 } }],
    [14, { a: 1 }, { $inc: { a: 'x' } }],
    [2, { a: 1 }, { $push: { a: 1 } }],
    [28, { a: 1 }, { $set: { 'a.b': 1 } }],
    [40, { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }],
    [40, { a: 1 }, { $set: { a: 1, 'a.b': 1 } }],
    [56, { a: 1 }, { $set: { 'a..b': 1 } }],
    [66, { a: 1 }, { $set: { _id: 5 } }],
    [2, { l: [1] }, { $set: { 'l.$': 5 } }],
    [2, { l: [1] }, { $set: { 'l.$[x]': 5 } }],
  ])('refuses with %d', async (code, doc, update) => {
    const c = fresh();
    await c.insertOne({ _id: 1, ...doc });
    const raw = await fixture.db.command({ update: c.collectionName, updates: [{ q: { _id: 1 }, u: update }] });
    expect((raw['writeErrors'] as Document[])[0]).toMatchObject({ index: 0, code });
  });

  it('lets only one of two rivals compare and set', async () => {
    const c = fresh();
    await c.insertOne({ _id: 1, n: 0 });
    const results = await Promise.all(
      Array.from({ length: 40 }, () => c.findOneAndUpdate({ _id: 1, n: 0 }, { $set: { n: 1 } })),
    );
    expect(results.filter((r) => r !== null)).toHaveLength(1);
    await Promise.all(Array.from({ length: 50 }, () => c.updateOne({ _id: 1 }, { $inc: { n: 1 } })));
    expect((await c.findOne())?.['n']).toBe(51);
  });

  it('makes one document of racing upserts', async () => {
    const c = fresh();
    await c.createIndex({ k: 1 }, { unique: true });
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, () => c.updateOne({ k: 5 }, { $inc: { n: 1 } }, { upsert: true })),
    );
    const rejected = results.filter((r) => r.status === 'rejected');
    expect(rejected.every((r) => (r.reason as { code: number }).code === 11000)).toBe(true);
    expect(await c.find().toArray()).toMatchObject([{ k: 5, n: 30 - rejected.length }]);
  });
});

describe('findAndModify', () => {
  it('answers the old or the new document, by order and projection', async () => {
    const c = fresh();
    await c.insertMany([
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 1, b: 2 },
    ]);
    expect(await c.findOneAndUpdate({ a: 1 }, { $set: { c: 1 } }, { sort: { b: -1 }, projection: { b: 1 } })).toEqual({
      _id: 2,
      b: 2,
    });
    expect(await c.findOneAndReplace({ _id: 1 }, { z: 1 }, { returnDocument: 'after' })).toEqual({
      _id: 1,
      z: 1,
    });
    expect(await c.findOneAndDelete({ _id: 1 })).toEqual({ _id: 1, z: 1 });
    expect(await c.findOneAndDelete({ _id: 1 })).toBeNull();
    const made = await c.findOneAndUpdate(
      { _id: 9 },
      { $set: { n: 1 } },
      { upsert: true, returnDocument: 'after', includeResultMetadata: true },
    );
    expect(made).toMatchObject({
      lastErrorObject: { n: 1, updatedExisting: false, upserted: 9 },
      value: { _id: 9, n: 1 },
    });
  });

  it('reports a duplicate as the command error', async () => {
    const c = fresh();
    await c.createIndex({ u: 1 }, { unique: true });
    await c.insertMany([{ u: 1 }, { u: 2 }]);
    expect(await failureOf(c.findOneAndUpdate({ u: 1 }, { $set: { u: 2 } }))).toMatchObject({
      code: 11000,
      keyPattern: { u: 1 },
      keyValue: { u: 2 },
    });
  });
});

describe('bulk writes', () => {
  it('mixes operations and counts them', async () => {
    const c = fresh();
    const result = await c.bulkWrite([
      { insertOne: { document: { _id: 1, a: 1 } } },
      { insertOne: { document: { _id: 2, a: 1 } } },
      { updateMany: { filter: { a: 1 }, update: { $inc: { a: 1 } } } },
      { updateOne: { filter: { _id: 3 }, update: { $set: { a: 9 } }, upsert: true } },
      { deleteOne: { filter: { _id: 1 } } },
      { replaceOne: { filter: { _id: 2 }, replacement: { r: 1 } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 2,
      matchedCount: 3,
      modifiedCount: 3,
      upsertedCount: 1,
      deletedCount: 1,
      upsertedIds: { 3: 3 },
    });
  });

  it('goes through thousands of upserts twice with the same end', async () => {
    const c = fresh();
    const operations = Array.from({ length: 2500 }, (_, i) => ({
      updateOne: { filter: { _id: i }, update: { $set: { v: i } }, upsert: true },
    }));
    expect((await c.bulkWrite(operations, { ordered: false })).upsertedCount).toBe(2500);
    expect(await c.bulkWrite(operations, { ordered: false })).toMatchObject({
      matchedCount: 2500,
      modifiedCount: 0,
      upsertedCount: 0,
    });
    expect(await c.estimatedDocumentCount()).toBe(2500);
  });

  it('carries out unacknowledged writes before the next command of the same client', async () => {
    const c = fixture.client.db(fixture.db.databaseName).collection<AnyDocument>(`w0${Date.now()}`);
    await c.insertOne({ _id: 1 }, { writeConcern: { w: 0 } });
    while ((await c.countDocuments()) === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(await c.countDocuments()).toBe(1);
  });
});
