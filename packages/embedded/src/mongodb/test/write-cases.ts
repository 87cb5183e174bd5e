import type { Document } from 'mongodb';
import { idle, isOpen, refused, seen, stored, type CommandCases, type OptionCase, type Tools } from './option-case.js';
import { collation } from './read-cases.js';

const noValidators = 'there are no validators';
const variables = refused(238, { x: 1 }, { wrong: 5 });

const WRITE: Readonly<Record<string, OptionCase>> = {
  bypassDocumentValidation: idle(noValidators, true, { wrong: 'x' }),
  stmtIds: idle('there are no transactions', [1], { wrong: 'x' }),
};

const insert: CommandCases = {
  base: ({ c }) => ({ insert: c, documents: [{ _id: 9 }] }),
  options: {
    ...WRITE,
    documents: seen([{ _id: 7 }, { _id: 8 }], (r) => r['n'], 2),
    ordered: seen(false, (r) => r['n'], 1, {
      beside: { documents: [{ _id: 1 }, { _id: 9 }] },
      wrong: 1,
    }),
  },
};

const set = (b: number): Document => ({ q: { _id: 1 }, u: { $set: { b } } });
const fails: Document = { q: {}, u: { $nope: 1 } };

const update: CommandCases = {
  base: ({ c }) => ({ update: c, updates: [set(1)] }),
  options: {
    ...WRITE,
    updates: seen([set(5)], (_r, t) => stored(t), [5, null, null]),
    ordered: seen(false, (r) => r['n'], 1, {
      beside: { updates: [fails, set(1)] },
      wrong: 1,
    }),
    let: variables,
  },
};

const deleted: Document = { q: { _id: 1 }, limit: 1 };

const remove: CommandCases = {
  base: ({ c }) => ({ delete: c, deletes: [deleted] }),
  options: {
    ...WRITE,
    deletes: seen([{ q: {}, limit: 0 }], (r) => r['n'], 3),
    ordered: seen(false, (r) => r['n'], 1, {
      beside: { deletes: [{ q: {}, limit: 5 }, deleted] },
      wrong: 1,
    }),
    let: variables,
  },
};

const idOf = (reply: Document): unknown => (reply['value'] as Document)['_id'];

const findAndModify: CommandCases = {
  base: ({ c }) => ({ findAndModify: c, update: { $set: { b: 1 } } }),
  options: {
    query: seen({ a: 1 }, idOf, 2),
    sort: seen({ a: 1 }, idOf, 2),
    hint: seen({ a: 1 }, idOf, 2, { wrong: 5, code: 9 }),
    fields: seen({ a: 1, _id: 0 }, (r) => r['value'], { a: 3 }),
    update: seen({ $set: { b: 5 } }, (_r, t) => stored(t), [5, null, null], {
      wrong: 5,
      code: 9,
    }),
    remove: seen(true, (_r, { db, c }: Tools) => db.collection(c).countDocuments(), 2, { beside: { update: null } }),
    new: seen(true, (r) => (r['value'] as Document)['b'], 1),
    upsert: seen(true, (r) => (r['lastErrorObject'] as Document)['upserted'], 9, { beside: { query: { _id: 9 } } }),
    arrayFilters: refused(9, [{ x: 1 }], { wrong: 5 }),
    bypassDocumentValidation: idle(noValidators, true, { wrong: 'x' }),
    collation,
    let: variables,
  },
};

const index = { key: { b: 1 }, name: 'b_1' };

const createIndexes: CommandCases = {
  base: ({ c }) => ({ createIndexes: c, indexes: [index] }),
  options: {
    indexes: seen([index], (r) => r['numIndexesAfter'], 3),
    commitQuorum: refused(2, 1),
  },
};

const listIndexes: CommandCases = {
  base: ({ c }) => ({ listIndexes: c }),
  options: { cursor: seen({ batchSize: 1 }, isOpen, true) },
};

const dropIndexes: CommandCases = {
  base: ({ c }) => ({ dropIndexes: c, index: '*' }),
  options: { index: refused(27, 'none', { wrong: 5 }) },
};

export const writeCases = {
  createIndexes,
  delete: remove,
  dropIndexes,
  findAndModify,
  insert,
  listIndexes,
  update,
};
