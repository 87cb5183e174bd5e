import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Decimal128, Long, ObjectId, type Collection, type Document, type Filter, type Sort } from 'mongodb';
import { connect, lacks, type AnyDocument, type Fixture } from './test/fixture.js';

/** A small deterministic generator, so that a failure can be repeated. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * n);
  };
}

const pick = random(20_241);
const oneOf = <V>(list: readonly V[]): V => list[pick(list.length)] as V;

const SCALARS: readonly unknown[] = [
  0,
  1,
  2,
  3,
  -1,
  2.5,
  Long.fromString('9007199254740993'),
  lacks('decimal128') ? 2.5 : Decimal128.fromString('2.5'),
  'a',
  'ab',
  'abc',
  'b\0c',
  '',
  true,
  false,
  null,
  new Date(5),
  new ObjectId('0123456789abcdef01234567'),
  { x: 1 },
  { x: 1, y: 2 },
];

const value = (): unknown => {
  const kind = pick(10);
  if (kind === 0) return [oneOf(SCALARS), oneOf(SCALARS)];
  if (kind === 1) return [];
  if (kind === 2) return [{ c: oneOf(SCALARS) }, { c: oneOf(SCALARS) }, 3];
  return oneOf(SCALARS);
};

function document(i: number): Document {
  const doc: Document = { _id: i };
  if (pick(10) > 0) doc['a'] = pick(4);
  if (pick(10) > 0) doc['b'] = value();
  if (pick(10) > 1) doc['n'] = pick(5) === 0 ? [{ c: oneOf(SCALARS) }, { c: 1 }] : { c: oneOf(SCALARS) };
  if (pick(10) > 1) doc['s'] = oneOf(['x', 'y', 'zed', 'zoo']);
  return doc;
}

function condition(): unknown {
  switch (pick(9)) {
    case 0:
      return { $gt: oneOf(SCALARS.filter((v) => v !== null)) };
    case 1:
      return { $lte: oneOf(SCALARS.filter((v) => v !== null)) };
    case 2:
      return { $gte: 0, $lt: 3 };
    case 3:
      return { $in: [oneOf(SCALARS), oneOf(SCALARS), oneOf(SCALARS)] };
    case 4:
      return { $ne: oneOf(SCALARS) };
    case 5:
      return { $exists: pick(2) === 0 };
    case 6:
      return /^a/;
    default:
      return oneOf(SCALARS);
  }
}

function filter(): Filter<AnyDocument> {
  const out: Document = {};
  for (const path of ['a', 'b', 'n.c', 's', '_id'])
    if (pick(3) === 0)
      out[path] =
        path === '_id' ? { $gt: pick(300) } : path === 's' ? oneOf(['x', /^z/, { $in: ['x', 'y'] }]) : condition();
  if (pick(3) === 0) out['$or'] = [{ b: { $gt: 1 } }, { b: 1, _id: { $gt: pick(300) } }];
  return out;
}

const SORTS: readonly Sort[] = [
  {},
  { a: 1 },
  { a: -1, _id: -1 },
  { s: 1, a: -1 },
  { s: -1, a: 1, _id: -1 },
  { _id: -1 },
  { a: 1, s: 1 },
];

describe('the planner', () => {
  let fixture: Fixture;
  let plain: Collection<AnyDocument>;
  let indexed: Collection<AnyDocument>;

  beforeAll(async () => {
    fixture = await connect();
    plain = fixture.db.collection('plain');
    indexed = fixture.db.collection('indexed');
    await indexed.createIndexes([
      { key: { a: 1 } },
      { key: { b: 1 } },
      { key: { 'n.c': 1, a: -1 } },
      { key: { s: 1, a: -1 } },
      { key: { s: -1, b: 1 } },
      { key: { a: 1, b: 1 }, sparse: true },
      ...(lacks('partial-indexes')
        ? []
        : [{ key: { s: 1 }, name: 'partial', partialFilterExpression: { a: { $gt: 1 } } }]),
    ]);
    const docs = Array.from({ length: 300 }, (_, i) => document(i));
    await plain.insertMany(docs);
    await indexed.insertMany(docs);
    // Moves entries around, so that indexes have seen updates and deletions too.
    for (const c of [plain, indexed]) {
      await c.updateMany({ _id: { $lt: 60 } }, { $set: { b: 7 }, $unset: { s: 1 } });
      await c.updateMany({ _id: { $lt: 30 } }, { $set: { b: 'abc' } });
      await c.deleteMany({ _id: { $gte: 280 } });
    }
  });
  afterAll(() => fixture.close());

  it('finds through indexes what a scan finds', async () => {
    for (let round = 0; round < 300; round += 1) {
      const query = filter();
      const expected = (await plain.find(query).toArray()).map((d) => Number(d._id)).sort((x, y) => x - y);
      const found = (await indexed.find(query).toArray()).map((d) => Number(d._id)).sort((x, y) => x - y);
      expect({ round, query, found }).toEqual({ round, query, found: expected });
      if (round % 5 === 0) expect(await indexed.countDocuments(query)).toBe(expected.length);
    }
  }, 60_000);

  it('gives the same order with and without an index', async () => {
    for (let round = 0; round < 200; round += 1) {
      const query = filter();
      const sort = { ...(oneOf(SORTS) as Document) };
      if (!('_id' in sort)) sort['_id'] = 1;
      const skip = pick(4);
      const limit = 1 + pick(30);
      const expected = await plain.find(query).sort(sort).skip(skip).limit(limit).toArray();
      const found = await indexed.find(query).sort(sort).skip(skip).limit(limit).toArray();
      expect({ query, sort, found: found.map((d) => d._id) }).toEqual({
        query,
        sort,
        found: expected.map((d) => d._id),
      });
    }
  }, 60_000);

  it('pages by key without reading what lies before the page', async () => {
    const pages = fixture.db.collection<{ _id: string; a: number; b: number }>('pages');
    await pages.createIndex({ a: 1, b: 1 });
    await pages.insertMany(
      Array.from({ length: 2000 }, (_, i) => ({
        _id: `d${String(i).padStart(4, '0')}`,
        a: i % 2,
        b: i % 40 === 0 ? 5 : i,
      })),
    );
    const seen: string[] = [];
    let last: { b: number; _id: string } | undefined;
    for (;;) {
      const query: Filter<{ _id: string; a: number; b: number }> =
        last === undefined ? { a: 0 } : { a: 0, $or: [{ b: { $gt: last.b } }, { b: last.b, _id: { $gt: last._id } }] };
      const cursor = pages.find(query).sort({ b: 1, _id: 1 }).limit(50);
      const page = await cursor.toArray();
      if (page.length === 0) break;
      const plan = await pages.find(query).sort({ b: 1, _id: 1 }).limit(50).explain('executionStats');
      const stats = plan['executionStats'] as { totalKeysExamined: number };
      expect(JSON.stringify(plan['queryPlanner'])).toContain('IXSCAN');
      expect(JSON.stringify(plan['queryPlanner'])).not.toContain('"SORT"');
      expect(stats.totalKeysExamined).toBeLessThanOrEqual(60);
      seen.push(...page.map((d) => d._id));
      last = page.at(-1);
    }
    expect(seen).toHaveLength(1000);
    expect(new Set(seen).size).toBe(1000);
  });
});
