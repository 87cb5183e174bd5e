import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serialize } from 'bson';
import { Long, ObjectId, type ClientSession, type Collection, type Document } from 'mongodb';
import { Cursors } from './cursors.js';
import { connect, failureOf, type Fixture } from './test/fixture.js';

// What MongoDB does since version 8, and what shows in this server alone.
let fixture: Fixture;
beforeAll(async () => {
  fixture = await connect();
});
afterAll(() => fixture.close());

type Doc = { _id: number } & Document;

async function filled(count = 4): Promise<Collection<Doc>> {
  const c = fixture.db.collection<Doc>(`c${new ObjectId().toHexString()}`);
  await c.insertMany(Array.from({ length: count }, (_, _id) => ({ _id, a: -_id })));
  return c;
}

const changed = async (c: Collection<Doc>): Promise<number[]> =>
  (await c.find({ b: 1 }).sort({ _id: 1 }).toArray()).map((doc) => doc._id);

const updateBy = (c: Collection<Doc>, more: Document): Promise<Document> =>
  fixture.db.command({ update: c.collectionName, updates: [{ q: {}, u: { $set: { b: 1 } }, ...more }] });

describe('an update with an order', () => {
  it.each<[Document, number]>([
    [{ a: 1 }, 3],
    [{ a: -1 }, 0],
    [{ _id: -1 }, 3],
  ])('changes the first by %j', async (sort, first) => {
    const c = await filled();
    await updateBy(c, { sort });
    expect(await changed(c)).toEqual([first]);
    const indexed = await filled();
    await indexed.createIndex({ a: 1 });
    await updateBy(indexed, { sort });
    expect(await changed(indexed)).toEqual([first]);
  });

  it('replaces the first, and inserts when there is none', async () => {
    const c = await filled();
    await updateBy(c, { u: { b: 1 }, sort: { a: 1 } });
    expect(await changed(c)).toEqual([3]);
    const reply = await updateBy(c, { q: { _id: 9 }, sort: { a: 1 }, upsert: true });
    expect(reply['upserted']).toEqual([{ index: 0, _id: 9 }]);
  });

  it.each<[number, Document]>([
    [9, { sort: { a: 1 }, multi: true }],
    [15975, { sort: { a: 5 } }],
    [14, { sort: 5 }],
    [16410, { sort: { $natural: 1 } }],
  ])('is refused with %d: %j', async (code, more) => {
    const c = await filled();
    expect((await updateBy(c, more))['writeErrors']).toMatchObject([{ code }]);
    expect(await changed(c)).toEqual([]);
  });

  it('is explained with it', async () => {
    const c = await filled();
    const updates = [{ q: {}, u: { $set: { b: 1 } }, sort: { a: 1 } }];
    const explain = { update: c.collectionName, updates };
    const reply = await fixture.db.command({ explain, verbosity: 'queryPlanner' });
    expect(JSON.stringify(reply['queryPlanner'])).toContain('"sortPattern":{"a":1}');
  });
});

describe('a time limit', () => {
  it('ends an update of many documents, and what was written stays', async () => {
    const c = fixture.db.collection<Doc>('slow_updates');
    await c.insertMany(Array.from({ length: 20_000 }, (_, _id) => ({ _id, t: 'aaaaaaaaaaaa' })));
    const update = { update: c.collectionName, updates: [{ q: {}, u: { $set: { b: 1 } }, multi: true }], maxTimeMS: 1 };
    expect(await failureOf(fixture.db.command(update))).toMatchObject({ code: 50 });
    expect(await c.countDocuments({ b: 1 })).toBeLessThan(20_000);
  });

  it('ends an insert between its documents', async () => {
    const documents = Array.from({ length: 50_000 }, (_, _id) => ({ _id, t: 'aaaaaaaaaaaa' }));
    const insert = { insert: 'slow_inserts', documents, maxTimeMS: 1 };
    expect(await failureOf(fixture.db.command(insert))).toMatchObject({ code: 50 });
  });

  it('ends the creation of an index, of which nothing stays', async () => {
    const c = fixture.db.collection<Doc>('slow_updates');
    const createIndexes = { createIndexes: c.collectionName, indexes: [{ key: { t: 1 }, name: 't_1' }], maxTimeMS: 1 };
    expect(await failureOf(fixture.db.command(createIndexes))).toMatchObject({ code: 50 });
    expect(await c.indexes()).toHaveLength(1);
  });

  it('is one for all batches of a cursor', async () => {
    const documents = (function* () {
      const doc = Buffer.from(serialize({}));
      yield doc;
      yield doc;
      const until = performance.now() + 30;
      while (performance.now() < until);
      yield undefined;
      yield doc;
    })();
    const cursors = new Cursors();
    const { id } = await cursors.first('db.c', documents, { size: 1, maxTimeMS: 20 });
    await expect(cursors.next(id, 'db.c', 9, undefined)).rejects.toMatchObject({ code: 50 });
    cursors.stop();
  });
});

describe('a session', () => {
  const sessions: ClientSession[] = [];
  const opened = (): ClientSession => {
    sessions.push(fixture.client.startSession());
    return sessions.at(-1) as ClientSession;
  };
  afterAll(() => Promise.all(sessions.map((session) => session.endSession())));
  const first = async (c: Collection<Doc>, session: ClientSession): Promise<unknown> =>
    ((await fixture.db.command({ find: c.collectionName, batchSize: 1 }, { session }))['cursor'] as Document)['id'];
  const more = (c: Collection<Doc>, cursor: unknown, session: ClientSession): Promise<Document> =>
    fixture.db.command({ getMore: cursor, collection: c.collectionName }, { session, promoteLongs: false });

  it.each(['endSessions', 'killSessions'])('takes its cursors with it: %s', async (command) => {
    const c = await filled();
    const [mine, theirs] = [opened(), opened()];
    const cursors = [await first(c, mine), await first(c, theirs)].map((id) => Long.fromString(String(id)));
    await fixture.db.command({ [command]: [mine.id] });
    expect(await failureOf(more(c, cursors[0], mine))).toMatchObject({ code: 43 });
    expect(await more(c, cursors[1], theirs)).toMatchObject({ ok: 1 });
  });

  it('keeps its cursors to itself', async () => {
    const c = await filled();
    const [mine, theirs] = [opened(), opened()];
    const cursor = Long.fromString(String(await first(c, mine)));
    expect(await failureOf(more(c, cursor, theirs))).toMatchObject({ code: 50738 });
    expect(await more(c, cursor, mine)).toMatchObject({ ok: 1 });
  });
});

describe('commands about the server', () => {
  const admin = (command: Document): Promise<Document> => fixture.client.db('admin').command(command);

  it('leave out of the status what is not wanted, and refuse what they cannot add', async () => {
    expect(await admin({ serverStatus: 1, mem: 0 })).not.toHaveProperty('mem');
    expect(await failureOf(admin({ serverStatus: 1, tcmalloc: 1 }))).toMatchObject({ code: 238 });
  });

  it('tell the parameters asked for, and nothing about them', async () => {
    expect(await admin({ getParameter: 1, logLevel: 1 })).toEqual({ logLevel: 0, ok: 1 });
    expect(await failureOf(admin({ getParameter: { showDetails: true }, logLevel: 1 }))).toMatchObject({ code: 238 });
    expect(await failureOf(admin({ getParameter: 1 }))).toMatchObject({ code: 72 });
  });

  it('tell at once who answers, and refuse to wait for a change', async () => {
    expect(await admin({ hello: 1, whatever: 1 })).toMatchObject({ ok: 1 });
    expect(await failureOf(admin({ hello: 1, maxAwaitTimeMS: 5 }))).toMatchObject({ code: 238 });
  });
});
