import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BSONRegExp, Double, Long, ObjectId, Timestamp, type Document, type Filter } from 'mongodb';
import { connect, failureOf, type AnyDocument, type Fixture } from './test/fixture.js';

let fixture: Fixture;
let c: string;
beforeAll(async () => {
  fixture = await connect();
  c = `c${new ObjectId().toHexString()}`;
  await fixture.db.collection<AnyDocument>(c).insertMany([
    { _id: 1, a: 3, l: [1, 2], t: 'x' },
    { _id: 2, a: 1, l: [3] },
  ]);
});
afterAll(() => fixture.close());

const codeOf = async (command: Document): Promise<number | undefined> =>
  (await failureOf(fixture.db.command(command))).code;

describe('what every command takes', () => {
  it.each<[number, Document]>([
    [322, { apiVersion: '9' }],
    [14, { apiVersion: 1 }],
    [4886600, { apiStrict: false }],
    [4886600, { apiDeprecationErrors: true }],
    [14, { apiVersion: '1', apiStrict: 'true' }],
    [2, { maxTimeMS: -1 }],
    [2, { maxTimeMS: Long.fromString('2147483648') }],
    [9, { $readPreference: { mode: 'nobody' } }],
    [20, { txnNumber: Long.fromNumber(1) }],
  ])('is refused with %d: %j', async (code, more) => {
    expect(await codeOf({ find: c, ...more })).toBe(code);
  });
});

describe('read concerns', () => {
  it.each<[number, unknown]>([
    [9, { level: 'nothing' }],
    [14, { level: 5 }],
    [123, { level: 'snapshot' }],
    [123, { level: 'linearizable' }],
    [123, { afterClusterTime: new Timestamp({ t: 1, i: 1 }) }],
    [72, { level: 'local', strange: 1 }],
  ])('are refused with %d: %j', async (code, readConcern) => {
    expect(await codeOf({ find: c, readConcern })).toBe(code);
  });

  it.each(['local', 'available', 'majority'])('of level %s are taken', async (level) => {
    expect(await fixture.db.command({ find: c, readConcern: { level } })).toMatchObject({ ok: 1 });
  });

  it('are refused by commands that read nothing', async () => {
    expect(await codeOf({ insert: c, documents: [{}], readConcern: { level: 'majority' } })).toBe(72);
    expect(
      await fixture.db.command({ insert: c, documents: [{ _id: 'rc' }], readConcern: { level: 'local' } }),
    ).toMatchObject({
      ok: 1,
    });
  });
});

describe('write concerns', () => {
  it.each<[number, unknown]>([
    [2, { w: 2 }],
    [2, { w: 'tag' }],
    [9, { w: -1 }],
    [9, { w: 51 }],
    [9, { w: true }],
    [9, { w: {} }],
    [9, { j: true, fsync: true }],
    [14, { j: 'yes' }],
    [40415, { w: 1, strange: 1 }],
    [9, { w: 1, wtimeout: Long.fromString('4294967296') }],
    [14, 5],
  ])('are refused with %d, and nothing is written: %j', async (code, writeConcern) => {
    expect(await codeOf({ insert: c, documents: [{ _id: 'wc' }], writeConcern })).toBe(code);
    expect(await fixture.db.collection<AnyDocument>(c).countDocuments({ _id: 'wc' })).toBe(0);
  });

  it.each<[Document]>([[{}], [{ w: 1 }], [{ w: 'majority', j: true, wtimeout: 5 }], [{ w: 1, j: false }]])(
    'that one server fulfils are taken: %j',
    async (writeConcern) => {
      expect(
        await fixture.db.command({ update: c, updates: [{ q: { _id: 0 }, u: { $set: { x: 1 } } }], writeConcern }),
      ).toMatchObject({ ok: 1 });
    },
  );

  it('are refused by commands that write nothing', async () => {
    expect(await codeOf({ find: c, writeConcern: { w: 1 } })).toBe(72);
  });
});

describe('statements', () => {
  const failed = async (command: Document): Promise<unknown> => {
    const reply = await fixture.db.command(command);
    return (reply['writeErrors'] as Document[] | undefined)?.[0]?.['code'];
  };

  it.each<[number, Document]>([
    [52, { _id: { $a: 1 } }],
    [52, { _id: { a: { $b: 1 } } }],
    [53, { _id: [1] }],
  ])('refuse with %d to insert %j', async (code, document) => {
    expect(await failed({ insert: c, documents: [document] })).toBe(code);
  });

  it.each<[number, Document]>([
    [51198, { q: {}, u: { $set: { b: 1 } }, c: { x: 1 } }],
    [9, { q: {}, u: { b: 1 }, arrayFilters: [{ x: 1 }] }],
    [9, { q: {}, u: { $set: { 'l.$[x]': 1 } }, arrayFilters: [{ x: 1, y: 2 }] }],
    [9, { q: {}, u: { b: 1 }, multi: true }],
    [14, { q: { none: 1 }, u: { $inc: { b: 'x' } } }],
    [2, { q: { none: 1 }, u: { $push: { l: { $each: [1], $nope: 1 } } } }],
    [2, { q: { none: 1 }, u: { $push: { l: { $each: 1 } } } }],
    [2, { q: { none: 1 }, u: { $push: { l: { $each: [1], $slice: 'x' } } } }],
    [2, { q: { none: 1 }, u: { $addToSet: { l: { $each: [1], $slice: 1 } } } }],
    [2, { q: { none: 1 }, u: { $pullAll: { l: 1 } } }],
    [9, { q: { none: 1 }, u: { $pop: { l: 5 } } }],
    [2, { q: { none: 1 }, u: { $bit: { b: { nand: 1 } } } }],
    [2, { q: { none: 1 }, u: { $currentDate: { b: { $type: 'year' } } } }],
    [2, { q: { none: 1 }, u: { $currentDate: { b: { $type: 'date', more: 1 } } } }],
  ])('refuse with %d to update by %j', async (code, statement) => {
    expect(await failed({ update: c, updates: [statement] })).toBe(code);
  });
});

describe('filters', () => {
  it.each<[number, Document]>([
    [2, { t: { $regex: 'x', $options: 5 } }],
    [51075, { t: { $regex: new BSONRegExp('x', 'i'), $options: 's' } }],
    [2, { a: { $type: 99 } }],
    [2, { a: { $mod: [2, 'x'] } }],
    [2, { l: { $all: [{ $gt: 1 }] } }],
    [2, { l: { $all: [{ $elemMatch: { $gt: 1 } }, 5] } }],
    [2, { l: { $elemMatch: 5 } }],
  ])('are refused with %d: %j', async (code, filter) => {
    expect(await codeOf({ find: c, filter })).toBe(code);
  });

  it('look at all bits of large numbers and of bytes', async () => {
    const bits = fixture.db.collection<{ _id: number; v: unknown }>(`${c}_bits`);
    await bits.insertMany([
      { _id: 1, v: Long.fromString('4611686018427387905') },
      { _id: 2, v: Buffer.from([0, 0x80]) },
      { _id: 3, v: -1 },
      { _id: 4, v: new Double(1.5) },
    ]);
    const found = async (v: Document): Promise<number[]> =>
      (
        await bits
          .find({ v } as Filter<{ _id: number; v: unknown }>)
          .sort({ _id: 1 })
          .toArray()
      ).map((doc) => doc._id);
    expect(await found({ $bitsAllSet: [0, 62] })).toEqual([1, 3]);
    expect(await found({ $bitsAllSet: [15] })).toEqual([2, 3]);
    expect(await found({ $bitsAnySet: Buffer.from([0, 0x80]) })).toEqual([2, 3]);
    expect(await found({ $bitsAllSet: [200] })).toEqual([3]);
  });
});

describe('orders, hints and projections', () => {
  it.each<[number, Document]>([
    [2, { sort: { $natural: 1, a: 1 } }],
    [15975, { sort: { a: 2 } }],
    [9, { hint: 5 }],
    [31274, { projection: { l: { $elemMatch: 5 } } }],
    [31275, { projection: { 'l.m': { $elemMatch: { a: 1 } } } }],
    [2, { limit: 1, collation: { locale: 'nowhere' } }],
    [9, { collation: { locale: 'simple', strength: 1 } }],
  ])('are refused with %d: %j', async (code, more) => {
    expect(await codeOf({ find: c, ...more })).toBe(code);
  });
});

describe('stages', () => {
  it.each<[number, Document]>([
    [28811, { $unwind: { path: '$l', strange: 1 } }],
    [28812, { $unwind: {} }],
    [28808, { $unwind: { path: 5 } }],
    [28809, { $unwind: { path: '$l', preserveNullAndEmptyArrays: 1 } }],
    [28810, { $unwind: { path: '$l', includeArrayIndex: 5 } }],
    [28822, { $unwind: { path: '$l', includeArrayIndex: '$i' } }],
    [28818, { $unwind: 'l' }],
    [15981, { $unwind: 5 }],
    [14, { $group: { _id: null, n: { $count: { a: 1 } } } }],
    [40237, { $group: { _id: null, n: { $sum: ['$a', 1] } } }],
    [40238, { $group: { _id: null, n: { $sum: 1, $avg: 1 } } }],
    [40234, { $group: { _id: null, n: 1 } }],
    [40236, { $group: { _id: null, $n: { $sum: 1 } } }],
    [15983, { $group: { _id: { $literal: 1, x: 1 } } }],
    [40156, { $count: 5 }],
    [40157, { $count: '' }],
    [40158, { $count: '$n' }],
    [15973, { $sort: 5 }],
    [5107200, { $skip: 1.5 }],
    [15969, { $project: 5 }],
    [51270, { $project: { a: {} } }],
    [31310, { $project: { a: 0, b: '$l' } }],
    [31252, { $project: { a: 0, b: { $literal: 1 } } }],
    [31253, { $project: { a: 0, b: 1 } }],
    [31254, { $project: { b: '$l', a: 0 } }],
    [31250, { $project: { 'a.b': 1, a: { b: 1 } } }],
  ])('are refused with %d: %j', async (code, stage) => {
    expect(await codeOf({ aggregate: c, pipeline: [stage], cursor: {} })).toBe(code);
  });

  it.each<[number, Document]>([
    [40415, { cursor: { strange: 1 } }],
    [14, { cursor: { batchSize: 'x' } }],
    [9, { aggregate: 2, cursor: {} }],
    [72, { cursor: {}, writeConcern: { w: 1 } }],
  ])('of a command refused with %d: %j', async (code, more) => {
    expect(await codeOf({ aggregate: c, pipeline: [{ $match: {} }], ...more })).toBe(code);
  });

  it('project what stands inside of objects', async () => {
    const [doc] = await fixture.db
      .collection(`${c}_nested`)
      .aggregate([{ $match: {} }, { $project: { _id: 0, n: { x: 1 } } }])
      .toArray();
    expect(doc).toBeUndefined();
    await fixture.db.collection(`${c}_nested`).insertOne({ n: { x: 5, y: 6 }, z: 7 });
    expect(
      await fixture.db
        .collection(`${c}_nested`)
        .aggregate([{ $project: { _id: 0, n: { x: 1 } } }])
        .toArray(),
    ).toEqual([{ n: { x: 5 } }]);
  });
});

describe('explain', () => {
  it.each<[number, Document]>([
    [40415, { find: 'x', strange: 1 }],
    [14, { find: 'x', filter: 5 }],
    [40415, { update: 'x', updates: [{ q: {}, u: { $set: { a: 1 } }, strange: 1 }] }],
  ])('refuses with %d what the command itself refuses: %j', async (code, explain) => {
    expect(await codeOf({ explain })).toBe(code);
  });
});

describe('collections and their indexes', () => {
  it.each<[number, Document]>([
    [50001, { autoIndexId: false }],
    [72, { size: 1000 }],
    [9, { collation: { locale: 'simple', strength: 1 } }],
    [51024, { size: 0 }],
  ])('are not created with %d: %j', async (code, options) => {
    expect(await codeOf({ create: `${c}_new`, ...options })).toBe(code);
  });

  it('of a database are dropped by 1 alone', async () => {
    expect(await codeOf({ dropDatabase: 2 })).toBe(5255100);
  });

  it('tells of no log that it does not have', async () => {
    expect(await failureOf(fixture.client.db('admin').command({ getLog: 'strange' }))).toHaveProperty('code');
  });
});
