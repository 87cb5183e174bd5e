import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ObjectId, type Collection, type Document, type Filter } from 'mongodb';
import { connect, failureOf, type Fixture } from './test/fixture.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await connect();
});
afterAll(() => fixture.close());

type Doc = { _id: number } & Document;
const fresh = (): Collection<Doc> => fixture.db.collection<Doc>(`c${new ObjectId().toHexString()}`);

/** The plan of a find as a line: stages from the outside in, with the name of the index. */
async function planOf(c: Collection<Doc>, filter: Filter<Doc>, sort: Document = {}): Promise<string> {
  const cursor = c.find(filter);
  if (Object.keys(sort).length > 0) cursor.sort(sort);
  const explained = await cursor.explain('queryPlanner');
  const names: string[] = [];
  let stage = (explained['queryPlanner'] as Document)['winningPlan'] as Document | undefined;
  while (stage !== undefined) {
    names.push(String(stage['stage']) + (stage['indexName'] === undefined ? '' : `(${String(stage['indexName'])})`));
    stage = stage['inputStage'] as Document | undefined;
  }
  return names.join(' ');
}

describe('unique indexes', () => {
  it('refuse a second document and say which key', async () => {
    const c = fresh();
    await c.createIndex({ 'n.x': 1, y: -1 }, { unique: true, name: 'pair' });
    await c.insertOne({ _id: 1, n: { x: 1 }, y: 'a' });
    await c.insertOne({ _id: 2, n: { x: 1 }, y: 'b' });
    const insert = await failureOf(c.insertOne({ _id: 3, n: { x: 1 }, y: 'a' }));
    expect(insert).toMatchObject({ code: 11000, keyPattern: { 'n.x': 1, y: -1 }, keyValue: { 'n.x': 1, y: 'a' } });
    expect(insert.message).toContain(`index: pair dup key: { n.x: 1, y: "a" }`);
    expect(await failureOf(c.updateOne({ _id: 2 }, { $set: { y: 'a' } }))).toMatchObject({ code: 11000 });
    expect(await c.findOne({ _id: 2 })).toMatchObject({ y: 'b' });
    await c.updateOne({ _id: 1 }, { $set: { y: 'c' } });
    await c.updateOne({ _id: 2 }, { $set: { y: 'a' } });
    expect(await c.countDocuments({ y: 'a' })).toBe(1);
  });

  it('count missing as null, unless sparse or partial', async () => {
    const c = fresh();
    await c.createIndex({ u: 1 }, { unique: true });
    await c.insertOne({ _id: 1 });
    expect(await failureOf(c.insertOne({ _id: 2 }))).toMatchObject({ code: 11000, keyValue: { u: null } });
    const s = fresh();
    await s.createIndex({ u: 1 }, { unique: true, sparse: true });
    await s.insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3, u: null }]);
    expect(await failureOf(s.insertOne({ _id: 4, u: null }))).toMatchObject({ code: 11000 });
    const p = fresh();
    await p.createIndex({ u: 1 }, { unique: true, partialFilterExpression: { live: true } });
    await p.insertMany([
      { _id: 1, u: 1 },
      { _id: 2, u: 1 },
      { _id: 3, u: 1, live: true },
    ]);
    expect(await failureOf(p.updateOne({ _id: 1 }, { $set: { live: true } }))).toMatchObject({ code: 11000 });
    await p.deleteOne({ _id: 3 });
    expect((await p.updateOne({ _id: 1 }, { $set: { live: true } })).modifiedCount).toBe(1);
  });

  it('hold for every element of an array', async () => {
    const c = fresh();
    await c.createIndex({ tags: 1 }, { unique: true });
    await c.insertOne({ _id: 1, tags: ['a', 'b', 'a'] });
    expect(await failureOf(c.insertOne({ _id: 2, tags: ['c', 'b'] }))).toMatchObject({ code: 11000 });
    expect(await c.find({ tags: 'b' }).toArray()).toHaveLength(1);
    await c.insertMany([{ _id: 3, tags: [] }, { _id: 4 }]);
    expect(await failureOf(c.insertOne({ _id: 5, tags: [] }))).toMatchObject({ code: 11000 });
  });

  it('are not created over duplicates, and leave nothing behind', async () => {
    const c = fresh();
    await c.insertMany([
      { _id: 1, u: 1 },
      { _id: 2, u: 1 },
    ]);
    expect(await failureOf(c.createIndex({ u: 1 }, { unique: true }))).toMatchObject({ code: 11000 });
    expect(await c.indexes()).toHaveLength(1);
  });
});

describe('plans', () => {
  let c: Collection<Doc>;
  beforeAll(async () => {
    c = fresh();
    await c.insertMany(
      Array.from({ length: 200 }, (_, i) => ({
        _id: i,
        a: i % 10,
        b: i % 7,
        s: `k${i}`,
        tags: [`t${i % 3}`, `u${i}`],
        live: i % 2 === 0,
        rare: i % 50 === 0 ? i : undefined,
      })),
      { ignoreUndefined: true },
    );
    await c.createIndexes([
      { key: { a: 1, b: -1 } },
      { key: { s: 1 } },
      { key: { tags: 1 } },
      { key: { b: 1 }, partialFilterExpression: { live: true } },
      { key: { rare: 1 }, sparse: true },
    ]);
  });

  it.each<[Document, Document, string]>([
    [{ _id: 5 }, {}, 'IDHACK'],
    [{ _id: { $gt: 5 } }, {}, 'FETCH IXSCAN(_id_)'],
    [{ _id: { $in: [1, 2] } }, {}, 'FETCH IXSCAN(_id_)'],
    [{ a: 1 }, {}, 'FETCH IXSCAN(a_1_b_-1)'],
    [{ a: 1, b: { $gt: 2 } }, {}, 'FETCH IXSCAN(a_1_b_-1)'],
    [{ a: { $in: [1, 2] }, b: 3 }, {}, 'FETCH IXSCAN(a_1_b_-1)'],
    [{ a: 1 }, { b: -1 }, 'FETCH IXSCAN(a_1_b_-1)'],
    [{ a: 1 }, { b: 1, _id: -1 }, 'FETCH IXSCAN(a_1_b_-1)'],
    [{ a: 1 }, { s: 1 }, 'SORT FETCH IXSCAN(a_1_b_-1)'],
    [{}, { a: -1, b: 1 }, 'FETCH IXSCAN(a_1_b_-1)'],
    [{}, { b: 1 }, 'SORT COLLSCAN'],
    [{ s: /^k1/ }, {}, 'FETCH IXSCAN(s_1)'],
    [{ tags: 't1' }, {}, 'FETCH IXSCAN(tags_1)'],
    [{ tags: { $in: ['t1', 'u5'] } }, { _id: 1 }, 'SORT FETCH IXSCAN(tags_1)'],
    [{ b: 3, live: true }, {}, 'FETCH IXSCAN(b_1)'],
    [{ b: 3 }, {}, 'COLLSCAN'],
    [{ rare: 50 }, {}, 'FETCH IXSCAN(rare_1)'],
    [{ rare: null }, {}, 'COLLSCAN'],
    [{ live: true }, {}, 'COLLSCAN'],
    [{ $or: [{ a: 1 }, { s: 'k5' }] }, {}, 'FETCH OR'],
    [{ $or: [{ a: 1 }, { live: true }] }, {}, 'COLLSCAN'],
  ])('%j sorted by %j: %s', async (filter, sort, expected) => {
    expect(await planOf(c, filter as Filter<Doc>, sort)).toBe(expected);
  });

  it('read no more than they answer', async () => {
    const explained = await c.find({ a: 1, b: { $gte: 2 } }).explain('executionStats');
    const { nReturned, totalKeysExamined, totalDocsExamined } = explained['executionStats'] as Record<string, number>;
    expect([totalKeysExamined, totalDocsExamined]).toEqual([nReturned, nReturned]);
  });

  it('join the branches of an alternative', async () => {
    const found = await c
      .find({ $or: [{ a: 1 }, { s: 'k5' }, { s: 'k11' }], tags: { $exists: true } })
      .sort({ _id: 1 })
      .toArray();
    expect(found.map((d) => d._id)).toEqual([1, 5, ...Array.from({ length: 19 }, (_, i) => 11 + i * 10)]);
  });

  it('obey a hint', async () => {
    const explained = await c.find({ a: 1 }).hint('s_1').explain('queryPlanner');
    expect(JSON.stringify(explained)).toContain('"indexName":"s_1"');
    expect(await c.find({ a: 1 }).hint({ s: 1 }).toArray()).toHaveLength(20);
    expect(JSON.stringify(await c.find({ a: 1 }).hint({ $natural: 1 }).explain('queryPlanner'))).toContain('COLLSCAN');
  });
});

it('orders and finds values that are longer than a key may be', async () => {
  const c = fresh();
  const long = 'x'.repeat(5000);
  await c.createIndex({ t: 1 }, { unique: true });
  await c.insertMany([
    { _id: 1, t: `${long}b` },
    { _id: 2, t: `${long}a` },
    { _id: 3, t: 'short' },
  ]);
  expect(await failureOf(c.insertOne({ _id: 4, t: `${long}a` }))).toMatchObject({ code: 11000 });
  expect(await c.find({ t: `${long}a` }).toArray()).toMatchObject([{ _id: 2 }]);
  expect((await c.find({ t: { $gt: `${long}a` } }).toArray()).map((d) => d._id)).toEqual([1]);
  expect(
    (
      await c
        .find({ t: { $gte: 'x' } })
        .sort({ t: 1 })
        .toArray()
    ).map((d) => d._id),
  ).toEqual([2, 1]);
  const ids = fixture.db.collection<{ _id: string }>('long_ids');
  await ids.insertMany([{ _id: `${long}1` }, { _id: `${long}2` }]);
  expect(await ids.findOne({ _id: `${long}2` })).toEqual({ _id: `${long}2` });
  expect(await ids.deleteOne({ _id: `${long}1` })).toMatchObject({ deletedCount: 1 });
});

describe('administration of indexes', () => {
  it('creates, lists and drops', async () => {
    const c = fresh();
    expect(await c.createIndex({ a: 1, 'b.c': -1 })).toBe('a_1_b.c_-1');
    expect(await c.createIndex({ a: 1, 'b.c': -1 })).toBe('a_1_b.c_-1');
    await c.createIndex({ z: 1 }, { name: 'zed', sparse: true, unique: true });
    expect(await c.indexes()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1, 'b.c': -1 }, name: 'a_1_b.c_-1' },
      { v: 2, key: { z: 1 }, name: 'zed', sparse: true, unique: true },
    ]);
    await c.dropIndex('zed');
    expect(await c.indexExists('zed')).toBe(false);
    await c.dropIndexes();
    expect(await c.indexes()).toHaveLength(1);
  });

  it.each<[number, Document]>([
    [86, { key: { b: 1 }, name: 'a_1' }],
    [85, { key: { a: 1 }, name: 'other' }],
    [67, { key: {}, name: 'x' }],
    [67, { key: { a: 'text' }, name: 'x' }],
    [67, { key: { a: 0 }, name: 'x' }],
    [197, { key: { x: 1 }, name: 'x', what: 1 }],
    [67, { key: { x: 1 }, name: 'x', sparse: true, partialFilterExpression: { a: 1 } }],
    [67, { key: { x: 1 }, name: 'x', partialFilterExpression: { a: { $exists: false } } }],
    [67, { key: { x: 1 }, name: 'x', partialFilterExpression: { a: { $ne: 1 } } }],
    [67, { key: { x: 1 }, name: 'x', partialFilterExpression: { $nor: [{ a: 1 }] } }],
    [67, { key: { x: 1 }, name: 'x', partialFilterExpression: { a: /x/ } }],
    [14, { key: { x: 1 }, name: 'x', partialFilterExpression: 5 }],
    [67, { key: { x: 1 }, name: 'x', v: 99 }],
    [14, { key: { x: 1 }, name: 'x', v: 'x' }],
    [2, { key: { x: 1 }, name: 'x', v: 1.5 }],
    [14, { key: { x: 1 }, name: 'x', unique: 'yes' }],
    [14, { key: { x: 1 }, name: 'x', sparse: 'yes' }],
    [14, { key: { x: 1 }, name: 'x', hidden: 1 }],
    [14, { key: { x: 1 }, name: 5 }],
    [67, { key: { x: 1 }, name: '' }],
    [2, { key: { x: 1 }, name: '*' }],
    [9, { key: { x: 1 } }],
    [9, { name: 'x' }],
    [2, { key: { _id: -1 }, name: 'x' }],
    [197, { key: { _id: 1 }, name: '_id_', unique: true }],
    [2, { key: { x: 1 }, name: 'x', collation: {} }],
  ])('refuses with %d: %j', async (code, spec) => {
    const c = fresh();
    await c.createIndex({ a: 1 });
    expect(await failureOf(fixture.db.command({ createIndexes: c.collectionName, indexes: [spec] }))).toMatchObject({
      code,
    });
  });

  it('hides an index from queries and hints, and goes on to hold what is unique', async () => {
    const c = fresh();
    await c.createIndex({ h: 1 }, { hidden: true, unique: true });
    await c.insertOne({ _id: 1, h: 1 });
    expect((await c.indexes())[1]).toMatchObject({ name: 'h_1', hidden: true });
    expect(await planOf(c, { h: 1 })).toBe('COLLSCAN');
    expect(await failureOf(c.find({ h: 1 }).hint('h_1').toArray())).toMatchObject({ code: 2 });
    expect(await failureOf(c.insertOne({ _id: 2, h: 1 }))).toMatchObject({ code: 11000 });
  });

  it.each<[Document]>([
    [{ a: { $exists: true } }],
    [{ a: { $in: [1, 2] } }],
    [{ $or: [{ a: 1 }, { a: { $gt: 5 } }] }],
    [{ a: { $type: 'string' } }],
    [{ a: { $gte: 1, $lt: 5 } }],
  ])('takes %j as the filter of a partial index', async (partialFilterExpression) => {
    expect(await fresh().createIndex({ x: 1 }, { partialFilterExpression })).toBe('x_1');
  });

  it('refuses parallel arrays, unknown indexes and dropping _id', async () => {
    const c = fresh();
    await c.createIndex({ a: 1, b: 1 });
    expect(await failureOf(c.insertOne({ _id: 1, a: [1], b: [2] }))).toMatchObject({ code: 171 });
    expect(await failureOf(c.dropIndex('nope'))).toMatchObject({ code: 27 });
    expect(await failureOf(c.dropIndex('_id_'))).toMatchObject({ code: 72 });
    expect(await failureOf(fixture.db.collection('nowhere').indexes())).toMatchObject({ code: 26 });
  });
});
