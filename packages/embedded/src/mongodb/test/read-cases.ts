import type { Document, Long } from 'mongodb';
import { idle, idsOf, isOpen, refused, seen, type CommandCases, type OptionCase, type Tools } from './option-case.js';

const noShards = 'there are no shards';
const noDisk = 'what does not fit into memory is refused, whatever it says';
const noValidators = 'there are no validators';
const asOnMongoDB = 'it has no effect on the real server either';

export const collation: OptionCase = refused(2, { locale: 'de' }, { wrong: 5 });
const variables = refused(238, { x: 1 }, { wrong: 5 });

const byIndex = (look: (reply: Document) => unknown, expected: unknown): OptionCase =>
  seen({ a: 1 }, look, expected, { wrong: 5, code: 9 });

const find: CommandCases = {
  base: ({ c }) => ({ find: c }),
  options: {
    filter: seen({ a: 1 }, idsOf, [2]),
    projection: seen({ a: 1, _id: 0 }, (r) => ((r['cursor'] as Document)['firstBatch'] as Document[])[0], { a: 3 }),
    sort: seen({ a: 1 }, idsOf, [2, 3, 1]),
    hint: byIndex(idsOf, [2, 3, 1]),
    skip: seen(1, idsOf, [2, 3]),
    limit: seen(2, idsOf, [1, 2]),
    batchSize: seen(1, isOpen, true),
    singleBatch: seen(true, isOpen, false, {
      beside: { batchSize: 1 },
      wrong: 1,
    }),
    noCursorTimeout: idle('it shows after ten minutes', true, { wrong: 1 }),
    tailable: refused(2, true, { wrong: 1 }),
    awaitData: refused(9, true, { wrong: 1 }),
    allowPartialResults: idle(noShards, true, { wrong: 1 }),
    allowDiskUse: idle(noDisk, true, { wrong: 1 }),
    collation,
    let: variables,
    min: refused(238, { a: 1 }, { wrong: 5 }),
    max: refused(238, { a: 1 }, { wrong: 5 }),
    returnKey: refused(238, true, { wrong: 1 }),
    showRecordId: refused(238, true, { wrong: 1 }),
    oplogReplay: idle(asOnMongoDB, true, { wrong: 1 }),
  },
};

async function opened({ db, c }: Tools): Promise<Document> {
  const { cursor } = (await db.command({ find: c, batchSize: 1 }, { promoteLongs: false })) as { cursor: { id: Long } };
  return { getMore: cursor.id, collection: c };
}

const rest = (reply: Document): number => ((reply['cursor'] as Document)['nextBatch'] as unknown[]).length;

const getMore: CommandCases = {
  base: opened,
  options: {
    collection: seen(({ c }: Tools) => c, rest, 2, { wrong: 5 }),
    batchSize: seen(1, rest, 1),
    maxTimeMS: refused(2, 5),
  },
};

const killCursors: CommandCases = {
  base: ({ c }) => ({ killCursors: c, cursors: [] }),
  options: {
    cursors: seen(
      async (t: Tools) => [(await opened(t))['getMore'] as unknown],
      (r) => (r['cursorsKilled'] as unknown[]).length,
      1,
    ),
  },
};

const count: CommandCases = {
  base: ({ c }) => ({ count: c }),
  options: {
    query: seen({ a: 1 }, (r) => r['n'], 1),
    limit: seen(2, (r) => r['n'], 2, { code: 2 }),
    skip: seen(1, (r) => r['n'], 2, { code: 2 }),
    hint: byIndex((r) => r['n'], 3),
    collation,
    fields: idle(asOnMongoDB, { a: 1 }, { wrong: 5 }),
  },
};

const distinct: CommandCases = {
  base: ({ c }) => ({ distinct: c, key: 'a' }),
  options: {
    key: seen('_id', (r) => r['values'], [1, 2, 3], { wrong: 5 }),
    query: seen({ a: { $gt: 1 } }, (r) => r['values'], [2, 3]),
    hint: byIndex((r) => r['values'], [1, 2, 3]),
    collation,
  },
};

const aggregate: CommandCases = {
  base: ({ c }) => ({ aggregate: c, pipeline: [], cursor: {} }),
  options: {
    pipeline: seen([{ $match: { a: 1 } }], idsOf, [2]),
    cursor: seen({ batchSize: 1 }, isOpen, true),
    hint: byIndex(idsOf, [2, 3, 1]),
    allowDiskUse: idle(noDisk, true, { wrong: 1 }),
    bypassDocumentValidation: idle(noValidators, true, { wrong: 'x' }),
    collation,
    let: variables,
    explain: seen(true, (r) => 'queryPlanner' in r, true, { wrong: 1 }),
  },
};

const explain: CommandCases = {
  base: ({ c }) => ({ explain: { find: c } }),
  options: {
    verbosity: seen('queryPlanner', (r) => 'executionStats' in r, false, {
      wrong: 5,
    }),
  },
};

export const readCases = {
  aggregate,
  count,
  distinct,
  explain,
  find,
  getMore,
  killCursors,
};
