import type { Document } from 'mongodb';
import { idle, isOpen, refused, seen, type CommandCases, type Tools } from './option-case.js';
import { collation } from './read-cases.js';

const oneUser = 'there is one user, who may see everything';

const namesOf = (reply: Document): unknown[] =>
  ((reply['cursor'] as Document)['firstBatch'] as Document[]).map((doc) => doc['name'] as unknown);

const create: CommandCases = {
  base: ({ c }) => ({ create: `${c}_new` }),
  options: {
    capped: refused(238, true, { beside: { size: null }, wrong: 'x' }),
    size: refused(72, 1000, { wrong: 'x' }),
    max: refused(72, 1000, { wrong: 'x' }),
    autoIndexId: refused(50001, false, { wrong: 'x' }),
    idIndex: refused(197, { key: { _id: 1 }, name: '_id_', unique: true }, { wrong: 5 }),
    storageEngine: refused(238, { wiredTiger: {} }, { wrong: 5 }),
    validator: refused(238, { a: 1 }, { wrong: 5 }),
    validationLevel: refused(238, 'strict'),
    validationAction: refused(238, 'error'),
    indexOptionDefaults: refused(238, { storageEngine: {} }, { wrong: 5 }),
    viewOn: refused(238, 'other'),
    pipeline: refused(238, []),
    collation,
    recordPreImages: refused(238, true, { wrong: 'x' }),
    changeStreamPreAndPostImages: refused(238, { enabled: true }),
    timeseries: refused(238, { timeField: 't' }),
    clusteredIndex: refused(238, { key: { _id: 1 }, unique: true }),
    expireAfterSeconds: refused(238, 0),
    encryptedFields: refused(238, { fields: [] }),
  },
};

const listCollections: CommandCases = {
  base: () => ({ listCollections: 1 }),
  options: {
    filter: seen(
      ({ c }: Tools) => ({ name: c }),
      (r, { c }) => namesOf(r).length === 1 && namesOf(r)[0] === c,
      true,
    ),
    nameOnly: seen(true, (r) => JSON.stringify(r).includes('idIndex'), false, {
      wrong: 1,
    }),
    cursor: seen({ batchSize: 0 }, isOpen, true),
    authorizedCollections: idle(oneUser, true, { wrong: 1 }),
  },
};

const databases = (reply: Document): Document[] => reply['databases'] as Document[];

const listDatabases: CommandCases = {
  admin: true,
  base: () => ({ listDatabases: 1 }),
  options: {
    filter: seen(
      ({ db }: Tools) => ({ name: db.databaseName }),
      (r) => databases(r).length,
      1,
    ),
    nameOnly: seen(true, (r) => databases(r).some((one) => 'sizeOnDisk' in one), false, { wrong: 1 }),
    authorizedDatabases: idle(oneUser, true, { wrong: 1 }),
  },
};

const renameCollection: CommandCases = {
  admin: true,
  base: ({ db, c }) => ({
    renameCollection: `${db.databaseName}.${c}`,
    to: `${db.databaseName}.${c}_new`,
  }),
  options: {
    to: refused(73, 'x.a$b', { wrong: 5 }),
    dropTarget: seen(true, (r) => r['ok'], 1),
  },
};

const scale = seen(1024, (r) => r['scaleFactor'], 1024);

const collStats: CommandCases = {
  base: ({ c }) => ({ collStats: c }),
  options: { scale },
};

const dbStats: CommandCases = {
  base: () => ({ dbStats: 1 }),
  options: { scale, freeStorage: refused(238, 1, { wrong: 'x' }) },
};

const compact: CommandCases = {
  base: ({ c }) => ({ compact: c }),
  options: {
    force: idle('others read and write meanwhile, forced or not', true, {
      wrong: 'x',
    }),
    maxTimeMS: refused(238, 5),
  },
};

const connectionStatus: CommandCases = {
  base: () => ({ connectionStatus: 1 }),
  options: { showPrivileges: refused(238, true, { wrong: 1 }) },
};

export const adminCases = {
  collStats,
  compact,
  connectionStatus,
  create,
  dbStats,
  listCollections,
  listDatabases,
  renameCollection,
};
