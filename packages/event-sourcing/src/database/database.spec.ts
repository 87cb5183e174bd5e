import { describe, expect, it } from '@jest/globals';
import { type BulkWriteResult, MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb';
import { asAppError, isAway } from './database.js';

/** As the driver makes it, which takes whatever broke a bulk for an answer of the server. */
const bulk = (error: ConstructorParameters<typeof MongoBulkWriteError>[0]) =>
  new MongoBulkWriteError(error, {} as BulkWriteResult);

describe('an error of the database', () => {
  it('means that it is away when the connection broke, also within a bulk', () => {
    const broken = new MongoNetworkError('the connection was closed');
    expect([broken, bulk(broken)].map(isAway)).toEqual([true, true]);
    expect(asAppError(bulk(broken))).toMatchObject({ reason: 'unavailable' });
  });

  it('does not mean that it is away when the server refuses what it was given', () => {
    const refused = { message: 'duplicate key', code: 11_000 };
    expect([bulk(refused), new MongoServerError(refused)].map(isAway)).toEqual([false, false]);
  });
});
