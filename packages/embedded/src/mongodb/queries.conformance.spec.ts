import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BSONRegExp,
  Code,
  Decimal128,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  type Collection,
  type Document,
  type Filter,
} from 'mongodb';
import { connect, failureOf, lacks, type Fixture } from './test/fixture.js';

let fixture: Fixture;
let things: Collection<{ _id: number } & Document>;

beforeAll(async () => {
  fixture = await connect();
  things = fixture.db.collection('things');
  await things.insertMany([
    { _id: 1, a: 1, s: 'apple', l: [1, 2, 3], n: { x: 1 } },
    {
      _id: 2,
      a: 2.5,
      s: 'Banana',
      l: [
        { p: 1, q: 2 },
        { p: 3, q: 4 },
      ],
      n: { x: null },
    },
    { _id: 3, a: Long.fromNumber(3), s: 'cherry', l: [], n: {} },
    { _id: 4, a: null, l: 'text', n: [{ x: 1 }, { x: 2 }] },
    {
      _id: 5,
      s: 'apple\npie',
      l: lacks('nested-arrays') ? [9] : [[1, 2]],
      a: lacks('decimal128') ? 3 : Decimal128.fromString('3'),
    },
    { _id: 6, a: lacks('nan') ? -2 : NaN, d: new Date(1000), b: true },
  ]);
});
afterAll(() => fixture.close());

const ids = async (filter: Document): Promise<number[]> =>
  (
    await things
      .find(filter as Filter<{ _id: number }>)
      .sort({ _id: 1 })
      .toArray()
  ).map((d) => d._id);

describe('filters', () => {
  it.each<[Document, number[]]>([
    [{ a: 1 }, [1]],
    [{ a: 3 }, [3, 5]],
    [{ a: { $gt: 1, $lt: 3 } }, [2]],
    [{ a: { $gte: 2.5 } }, [2, 3, 5]],
    [{ a: NaN }, [6]],
    [{ a: null }, [4]],
    [{ s: null }, [4, 6]],
    [{ a: { $ne: null } }, [1, 2, 3, 5, 6]],
    [{ s: { $exists: false } }, [4, 6]],
    [{ a: { $in: [1, null, 'x'] } }, [1, 4]],
    [{ a: { $nin: [1, 2.5] } }, [3, 4, 5, 6]],
    [{ s: /^app/ }, [1, 5]],
    [{ s: /banana/i }, [2]],
    [{ s: { $regex: '^PIE$', $options: 'im' } }, [5]],
    [{ s: { $in: [/^c/, 'apple'] } }, [1, 3]],
    [{ s: { $not: /^a/ } }, [2, 3, 4, 6]],
    [{ l: 2 }, [1]],
    [{ l: [1, 2, 3] }, [1]],
    [{ l: [1, 2] }, [5]],
    [{ l: { $size: 0 } }, [3]],
    [{ l: { $all: [1, 3] } }, [1]],
    [{ l: { $elemMatch: { $gt: 1, $lt: 3 } } }, [1]],
    [{ l: { $elemMatch: { p: 1, q: 4 } } }, []],
    [{ l: { $elemMatch: { p: { $gte: 3 }, q: 4 } } }, [2]],
    [{ 'l.p': 1, 'l.q': 4 }, [2]],
    [{ 'l.0': 1 }, [1, 5]],
    [{ 'l.1.q': 4 }, [2]],
    [{ 'n.x': 1 }, [1, 4]],
    [{ 'n.x': null }, [2, 3, 5, 6]],
    [{ 'n.x': { $exists: true } }, [1, 2, 4]],
    [{ n: { x: 1 } }, [1, 4]],
    [{ a: { $type: 'number' } }, [1, 2, 3, 5, 6]],
    [{ a: { $type: ['long', 'null'] } }, [3, 4]],
    [{ l: { $type: 'array' } }, [1, 2, 3, 5]],
    [{ a: { $mod: [2, 1] } }, [1, 3, 5]],
    [{ $or: [{ a: 1 }, { s: 'cherry' }] }, [1, 3]],
    [{ $nor: [{ a: { $exists: true } }, { s: 'x' }] }, []],
    [{ $and: [{ a: { $gt: 0 } }, { s: /^a/ }] }, [1, 5]],
    [{ d: { $lt: new Date(2000) } }, [6]],
    [{ d: { $lt: 5000 } }, []],
    [{ b: { $gt: false } }, [6]],
    [{ a: { $bitsAllSet: 1 } }, [1, 3, 5]],
    [{ a: { $not: { $gt: 1 } } }, [1, 4, 6]],
    [{ _id: { $in: [5, 2, 9] } }, [2, 5]],
    [{ $comment: 'why', a: 1 }, [1]],
  ])('%j', async (filter, expected) => {
    expect(await ids(filter)).toEqual(expected);
  });

  it.each<[number, Document]>([
    [2, { $nope: 1 }],
    [2, { a: { $nope: 1 } }],
    [2, { $or: [] }],
    [2, { $and: 5 }],
    [2, { a: { $in: 5 } }],
    [2, { a: { $not: 5 } }],
    [2, { $where: 'true' }],
    [27, { $text: { $search: 'x' } }],
    [51091, { s: { $regex: '(' } }],
  ])('refuses with %d: %j', async (code, filter) => {
    expect(await failureOf(things.find(filter as Filter<{ _id: number }>).toArray())).toMatchObject({ code });
  });
});

it('sorts values of all types in the order of the server', async () => {
  const c = fixture.db.collection<{ _id: number; v?: unknown }>('order');
  const inOrder: unknown[] = [
    new MinKey(),
    null,
    NaN,
    -Infinity,
    Long.fromString('-9007199254740993'),
    -1,
    Decimal128.fromString('0.1'),
    0.1,
    1,
    Long.fromString('9007199254740993'),
    Decimal128.fromString('1E400'),
    Infinity,
    '',
    'A',
    'a',
    'aa',
    'é',
    { a: 1 },
    { a: 1, b: 1 },
    { b: 0 },
    Buffer.from([9]),
    Buffer.from([1, 1]),
    new ObjectId('000000000000000000000001'),
    new ObjectId('0000000000000000000000ff'),
    false,
    true,
    new Date(-1),
    new Date(1),
    new Timestamp({ t: 1, i: 1 }),
    new Timestamp({ t: 1, i: 2 }),
    new BSONRegExp('a', 'i'),
    new Code('x'),
    new MaxKey(),
  ];
  const docs = inOrder.map((v, _id) => ({ _id, v }));
  await c.insertMany([...docs].reverse());
  const order = docs.map((d) => d._id);
  const sorted = async (direction: 1 | -1): Promise<number[]> =>
    (await c.find().sort({ v: direction }).toArray()).map((d) => d._id);
  expect(await sorted(1)).toEqual(order);
  expect(await sorted(-1)).toEqual([...order].reverse());
  await c.createIndex({ v: 1 });
  expect(await sorted(1)).toEqual(order);
  expect(await sorted(-1)).toEqual([...order].reverse());
});

it('sorts arrays by their lowest or highest element', async () => {
  const c = fixture.db.collection<{ _id: number; v?: unknown }>('arrays');
  await c.insertMany([{ _id: 1, v: [5, 1] }, { _id: 2, v: 3 }, { _id: 3, v: [] }, { _id: 4 }, { _id: 5, v: [2, 9] }]);
  expect((await c.find().sort({ v: 1 }).toArray()).map((d) => d._id)).toEqual([3, 4, 1, 5, 2]);
  expect((await c.find().sort({ v: -1 }).toArray()).map((d) => d._id)).toEqual([5, 1, 2, 4, 3]);
});

describe('projections', () => {
  it.each<[Document, Document | null]>([
    [{ s: 1 }, { _id: 1, s: 'apple' }],
    [{ s: 1, _id: 0 }, { s: 'apple' }],
    [{ 'n.x': 1, _id: 0 }, { n: { x: 1 } }],
    [
      { l: 0, n: 0, s: false },
      { _id: 1, a: 1 },
    ],
    [
      { l: { $slice: 2 }, a: 1, _id: 0 },
      { a: 1, l: [1, 2] },
    ],
    [
      { l: { $slice: [-2, 1] }, a: 1, _id: 0 },
      { a: 1, l: [2] },
    ],
    [{ _id: 1 }, { _id: 1 }],
  ])('%j', async (projection, expected) => {
    expect(await things.findOne({ _id: 1 }, { projection })).toEqual(expected);
  });

  it('reaches into arrays', async () => {
    expect(await things.findOne({ _id: 2 }, { projection: { 'l.p': 1, _id: 0 } })).toEqual({ l: [{ p: 1 }, { p: 3 }] });
    expect(await things.findOne({ _id: 2 }, { projection: { l: { $elemMatch: { p: 3 } } } })).toEqual({
      _id: 2,
      l: [{ p: 3, q: 4 }],
    });
    expect(await failureOf(things.findOne({}, { projection: { a: 1, b: 0 } }))).toMatchObject({ code: 31254 });
  });
});

describe('cursors', () => {
  const many = (): Collection<{ _id: number }> => fixture.db.collection('many');
  beforeAll(async () => {
    await many().insertMany(Array.from({ length: 1000 }, (_, _id) => ({ _id, pad: 'x'.repeat(100) })));
  });

  it('comes in batches of the size asked for', async () => {
    const seen = await many().find().batchSize(7).toArray();
    expect(seen.map((d) => d._id)).toEqual(Array.from({ length: 1000 }, (_, i) => i));
    const first = await fixture.db.command({ find: 'many', batchSize: 3 });
    const { id, firstBatch } = first['cursor'] as { id: Long; firstBatch: Document[] };
    expect([firstBatch.length, Number(id) > 0]).toEqual([3, true]);
    const next = await fixture.db.command({ getMore: Long.fromString(String(id)), collection: 'many', batchSize: 4 });
    expect((next['cursor'] as { nextBatch: Document[] }).nextBatch.map((d) => d['_id'] as number)).toEqual([
      3, 4, 5, 6,
    ]);
    expect(await fixture.db.command({ killCursors: 'many', cursors: [Long.fromString(String(id))] })).toMatchObject({
      ok: 1,
    });
    expect(
      await failureOf(fixture.db.command({ getMore: Long.fromString(String(id)), collection: 'many' })),
    ).toMatchObject({ code: 43 });
  });

  it('knows skip, limit, hint and single batches', async () => {
    expect((await many().find().sort({ _id: -1 }).skip(10).limit(3).toArray()).map((d) => d._id)).toEqual([
      989, 988, 987,
    ]);
    expect((await many().find().hint({ $natural: -1 }).limit(1).toArray())[0]?._id).toBe(999);
    const single = await fixture.db.command({ find: 'many', batchSize: 2, singleBatch: true });
    expect(Number((single['cursor'] as { id: Long }).id)).toBe(0);
    expect(await failureOf(many().find().hint('nope').toArray())).toMatchObject({ code: 2 });
    expect(await failureOf(fixture.db.command({ find: 'many', limit: -1 }))).toMatchObject({ code: 51024 });
  });

  it('goes on while documents come and go', async () => {
    const cursor = many().find({}, { batchSize: 10 }).sort({ _id: 1 });
    const seen: number[] = [];
    for await (const doc of cursor) {
      seen.push(doc._id);
      if (doc._id === 5) await many().deleteMany({ _id: { $gte: 500 } });
    }
    expect(seen.length).toBeGreaterThanOrEqual(500);
    expect(seen.slice(0, 500)).toEqual(Array.from({ length: 500 }, (_, i) => i));
  });

  it('stops at maxTimeMS', async () => {
    const slow = fixture.db.collection<{ _id: number }>('slow');
    await slow.insertMany(Array.from({ length: 20_000 }, (_, _id) => ({ _id, t: 'aaaaaaaaaaaaaaaaaaaaaaaa' })));
    expect(await failureOf(slow.find({ t: /b$/ }, { maxTimeMS: 1 }).toArray())).toMatchObject({ code: 50 });
  });

  it('counts and lists distinct values', async () => {
    expect(await many().countDocuments({ _id: { $gte: 10, $lt: 20 } })).toBe(10);
    expect(await many().countDocuments({ _id: { $gte: 10 } }, { skip: 5, limit: 7 })).toBe(7);
    expect(await things.distinct('l.p')).toEqual([1, 3]);
    expect(await things.distinct('a', { _id: { $lte: 2 } })).toEqual([1, 2.5]);
    expect(await fixture.db.collection('absent').distinct('x')).toEqual([]);
    expect(await fixture.db.collection('absent').find().toArray()).toEqual([]);
  });
});

describe('aggregation', () => {
  it.each<[string, Document[], Document[]]>([
    [
      '$match, $sort, $skip, $limit',
      [{ $match: { a: { $gt: 0 } } }, { $sort: { _id: -1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { _id: 1 } }],
      [{ _id: 3 }, { _id: 2 }],
    ],
    [
      '$group',
      [
        { $match: { _id: { $lte: 2 } } },
        {
          $group: {
            _id: null,
            n: { $sum: 1 },
            total: { $sum: '$a' },
            mean: { $avg: '$a' },
            low: { $min: '$a' },
            high: { $max: '$a' },
            all: { $push: '$s' },
            first: { $first: '$_id' },
            last: { $last: '$_id' },
          },
        },
      ],
      [{ _id: null, n: 2, total: 3.5, mean: 1.75, low: 1, high: 2.5, all: ['apple', 'Banana'], first: 1, last: 2 }],
    ],
    [
      '$unwind',
      [{ $match: { _id: 1 } }, { $unwind: '$l' }, { $group: { _id: '$l', n: { $count: {} } } }, { $sort: { _id: 1 } }],
      [
        { _id: 1, n: 1 },
        { _id: 2, n: 1 },
        { _id: 3, n: 1 },
      ],
    ],
    [
      '$unwind keeping empty arrays',
      [
        { $match: { _id: { $in: [1, 3] } } },
        { $unwind: { path: '$l', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
        { $project: { i: 1 } },
      ],
      [
        { _id: 1, i: 0 },
        { _id: 1, i: 1 },
        { _id: 1, i: 2 },
        { _id: 3, i: null },
      ],
    ],
    ['$count', [{ $match: { s: /^a/ } }, { $count: 'n' }], [{ n: 2 }]],
    [
      '$project with a new field',
      [{ $match: { _id: 1 } }, { $project: { _id: 0, y: '$n.x', z: { $literal: 5 } } }],
      [{ y: 1, z: 5 }],
    ],
    [
      '$group by an object',
      [{ $match: { _id: { $lte: 2 } } }, { $group: { _id: { x: '$n.x' }, n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      [
        { _id: { x: null }, n: 1 },
        { _id: { x: 1 }, n: 1 },
      ],
    ],
  ])('%s', async (_name, pipeline, expected) => {
    expect(await things.aggregate(pipeline).toArray()).toEqual(expected);
  });

  it.each<[number, Document[]]>([
    [40324, [{ $lookup: { from: 'x', localField: 'a', foreignField: 'b', as: 'c' } }]],
    [40324, [{ $nope: 1 }]],
    [40573, [{ $changeStream: {} }]],
    [40323, [{ $match: {}, $limit: 1 }]],
    [15958, [{ $limit: 0 }]],
    [168, [{ $group: { _id: { $nope: 1 } } }]],
    [15952, [{ $group: { _id: 1, x: { $nope: 1 } } }]],
  ])('refuses with %d', async (code, pipeline) => {
    expect(await failureOf(things.aggregate(pipeline).toArray())).toMatchObject({ code });
  });
});
