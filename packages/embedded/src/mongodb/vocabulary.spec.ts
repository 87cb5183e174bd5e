import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { connect, type AnyDocument, type Fixture } from './test/fixture.js';
import {
  ACCUMULATORS,
  EXPRESSIONS,
  FIELD_OPERATORS,
  STAGES,
  TOP_OPERATORS,
  UPDATE_OPERATORS,
} from './test/real-vocabulary.js';

// Every word of the real server is understood or refused: what its operand does is the matter of the conformance specs.
let fixture: Fixture;
beforeAll(async () => {
  fixture = await connect();
  await fixture.db.collection<AnyDocument>('c').insertOne({ _id: 1, a: 5, l: [1, 2] });
});
afterAll(() => fixture.close());

/** The code of a refusal, 0 when there is none. */
async function codeOf(command: Document): Promise<number> {
  try {
    const reply = await fixture.db.command(command);
    return ((reply['writeErrors'] as Document[] | undefined)?.[0]?.['code'] as number | undefined) ?? 0;
  } catch (error) {
    return (error as { code: number }).code;
  }
}

const aggregate = (stage: Document): Promise<number> => codeOf({ aggregate: 'c', pipeline: [stage], cursor: {} });

/** What this server understands, each with an operand. */
const STAGE: Document = {
  $count: 'n',
  $group: { _id: null },
  $limit: 1,
  $match: {},
  $project: { a: 1 },
  $skip: 1,
  $sort: { a: 1 },
  $unwind: '$l',
};
const ACCUMULATOR = ['$addToSet', '$avg', '$first', '$last', '$max', '$min', '$push', '$sum'];
const TOP: Document = { $and: [{ a: 5 }], $or: [{ a: 5 }], $nor: [{ a: 6 }], $comment: 'x' };
const FIELD: Document = {
  $all: [1],
  $bitsAllClear: 2,
  $bitsAllSet: 1,
  $bitsAnyClear: 2,
  $bitsAnySet: 1,
  $elemMatch: { $gt: 1 },
  $eq: 5,
  $exists: true,
  $gt: 1,
  $gte: 5,
  $in: [5],
  $lt: 9,
  $lte: 5,
  $mod: [5, 0],
  $ne: 6,
  $nin: [6],
  $not: { $gt: 6 },
  $regex: 'x',
  $size: 2,
  $type: 'int',
};
const UPDATE: Document = {
  $addToSet: { l: 1 },
  $bit: { a: { or: 1 } },
  $currentDate: { d: true },
  $inc: { a: 1 },
  $max: { a: 1 },
  $min: { a: 1 },
  $mul: { a: 1 },
  $pop: { l: 1 },
  $pull: { l: 1 },
  $pullAll: { l: [1] },
  $push: { l: 1 },
  $rename: { none: 'other' },
  $set: { a: 1 },
  $setOnInsert: { a: 1 },
  $unset: { none: 1 },
};

describe('a word of the real server', () => {
  it.each(STAGES)('that is a stage: %s', async (name) => {
    const code = await aggregate({ [name]: name in STAGE ? (STAGE[name] as unknown) : {} });
    expect(code).toBe(name in STAGE ? 0 : name === '$changeStream' ? 40573 : 40324);
  });

  it.each(ACCUMULATORS)('that is an accumulator: %s', async (name) => {
    const known = name === '$count' || ACCUMULATOR.includes(name);
    const code = await aggregate({ $group: { _id: null, n: { [name]: name === '$count' ? {} : '$a' } } });
    expect(code).toBe(known ? 0 : 15952);
  });

  it.each(EXPRESSIONS)('that is an expression: %s', async (name) => {
    expect(await aggregate({ $project: { n: { [name]: '$a' } } })).toBe(name === '$literal' ? 0 : 168);
  });

  it.each(TOP_OPERATORS)('that stands beside fields of a filter: %s', async (name) => {
    const code = await codeOf({ find: 'c', filter: { [name]: name in TOP ? (TOP[name] as unknown) : 1 } });
    expect(code === 0).toBe(name in TOP);
  });

  it.each(FIELD_OPERATORS)('that is an operator of a filter: %s', async (name) => {
    const code = await codeOf({ find: 'c', filter: { a: { [name]: name in FIELD ? (FIELD[name] as unknown) : 1 } } });
    expect(code === 0).toBe(name in FIELD);
  });

  it.each(UPDATE_OPERATORS)('that is an operator of an update: %s', async (name) => {
    expect(await codeOf({ update: 'c', updates: [{ q: {}, u: { [name]: UPDATE[name] as unknown } }] })).toBe(0);
  });

  it('is told from one that nobody knows', async () => {
    expect(await codeOf({ update: 'c', updates: [{ q: {}, u: { $strange: { a: 1 } } }] })).toBe(9);
    expect(await codeOf({ find: 'c', filter: { a: { $strange: 1 } } })).toBe(2);
    expect(await codeOf({ find: 'c', filter: { $strange: 1 } })).toBe(2);
    expect(await aggregate({ $strange: 1 })).toBe(40324);
  });
});
