import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError, operation, type Operation } from '@scriptorium/contracts';
import type { MongoServer } from '@scriptorium/embedded/mongodb';
import { mongoForTests, type TestServer } from '@scriptorium/embedded/test-servers';
import { dropDatabases } from '@scriptorium/event-sourcing/testing';
import { Collection, MongoClient } from 'mongodb';
import * as z from 'zod';
import { createIdempotencyStore, type IdempotencyStore, type KeyedRequest } from './idempotency-store.js';
import type { WireReply } from '../handlers/exchange.js';

const access = { resource: 'user', view: ['self'], allow: ['self'] } as const;
const op: Operation = operation({
  id: 'makeToken',
  service: 'identity',
  method: 'POST',
  path: '/x',
  summary: 'x',
  tag: 'x',
  access,
  response: z.object({ id: z.string(), token: z.string() }),
  secret: ['token'],
});

describe('stored answers', () => {
  let server: TestServer<MongoServer>;
  let client: MongoClient;
  let clock: { now: () => number; monotonic: () => number };
  let now: number;
  let idempotency: IdempotencyStore;
  const prefix = `answers_${randomUUID().slice(0, 8)}_`;
  let database = 0;

  beforeAll(async () => {
    server = await mongoForTests();
    client = await new MongoClient(server.url).connect();
  });
  afterAll(async () => {
    await client.close();
    if (server.given) await dropDatabases(server.url, prefix);
    await server.stop();
  });
  beforeEach(async () => {
    now = Date.now();
    clock = { now: () => now, monotonic: () => now };
    database += 1;
    idempotency = open();
    await idempotency.start();
  });

  const begin = () =>
    createIdempotencyStore(client.db(`${prefix}${database}`), Buffer.from('secret of the spec'), clock);
  const open = () => asking(begin());
  /** All work here has effects. */
  const asking = (kept: IdempotencyStore): IdempotencyStore => ({
    ...kept,
    once: (keyed, work) => kept.once(keyed, (taken) => taken().then(() => work(taken))),
  });
  const request = (over: Partial<KeyedRequest> = {}): KeyedRequest => ({
    key: 'k',
    principal: 'u1',
    operation: op,
    input: { body: { label: 'a' } },
    deadline: now + 10_000,
    ...over,
  });
  const reply = (fields: object): WireReply => ({
    body: Buffer.from(JSON.stringify(fields)),
    headers: { status: '201' },
  });
  /** Work that goes on until it is told to finish; `begun` once it is under way. */
  const lastingWork = () => {
    let [begin, finish] = [(): void => undefined, (): void => undefined];
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const finished = new Promise<WireReply>((resolve) => (finish = () => resolve(reply({}))));
    const work = (): Promise<WireReply> => {
      begin();
      return finished;
    };
    return { work, begun, finish };
  };
  const said = ({ body, headers }: WireReply): [unknown, WireReply['headers']] => [
    JSON.parse(Buffer.from(body).toString()),
    headers,
  ];

  it('are repeated for the same request, without fields that are shown once', async () => {
    const work = jest.fn(() => Promise.resolve(reply({ id: 't1', token: 'secret' })));
    expect(said(await idempotency.once(request(), work))).toEqual([{ id: 't1', token: 'secret' }, { status: '201' }]);
    expect(said(await open().once(request(), work))).toEqual([{ id: 't1' }, { status: '201', replayed: 'true' }]);
    expect(work).toHaveBeenCalledTimes(1);
    const kept = await client.db(`${prefix}${database}`).collection('op_answers').find().toArray();
    expect(JSON.stringify(kept)).not.toMatch(/secret|"k"/);
  });

  it('never contain a session cookie', async () => {
    const work = () =>
      Promise.resolve({ body: Buffer.from('{}'), headers: { status: '200', session: 'scr_ses_secret' } });
    expect((await idempotency.once(request(), work)).headers).toEqual({ status: '200', session: 'scr_ses_secret' });
    expect((await idempotency.once(request(), work)).headers).toEqual({ status: '200', replayed: 'true' });
    expect(
      JSON.stringify(await client.db(`${prefix}${database}`).collection('op_answers').find().toArray()),
    ).not.toContain('secret');
  });

  it('have an index on their expiry from the start', async () => {
    const [, index] = await client.db(`${prefix}${database}`).collection('op_answers').indexes();
    expect(index?.key).toEqual({ expires: 1 });
  });

  it('belong to one caller, and a key belongs to one request', async () => {
    const work = jest.fn(() => Promise.resolve(reply({})));
    await idempotency.once(request(), work);
    await idempotency.once(request({ principal: 'u2' }), work);
    expect(work).toHaveBeenCalledTimes(2);
    for (const other of [
      request({ input: { body: { label: 'b' } } }),
      request({ operation: { ...op, id: 'makeOther' } }),
    ]) {
      await expect(idempotency.once(other, work)).rejects.toMatchObject({
        reason: 'idempotency_key_reused',
        details: [{ path: 'headers.idempotency-key' }],
      });
    }
  });

  it('can be refusals, but not temporary ones', async () => {
    const refuse = (reason: 'already_exists' | 'unavailable' | 'conflict') =>
      jest.fn(() => Promise.reject(new AppError(reason, [{ path: 'body.x', message: 'm' }])));
    const lasting = refuse('already_exists');
    await expect(idempotency.once(request(), lasting)).rejects.toMatchObject({
      reason: 'already_exists',
      replayed: false,
    });
    await expect(idempotency.once(request(), lasting)).rejects.toMatchObject({
      reason: 'already_exists',
      replayed: true,
      details: [{ path: 'body.x', message: 'm' }],
    });
    expect(lasting).toHaveBeenCalledTimes(1);
    for (const reason of ['unavailable', 'conflict'] as const) {
      const passing = refuse(reason);
      for (let n = 0; n < 2; n += 1)
        await expect(idempotency.once(request({ key: reason }), passing)).rejects.toMatchObject({ reason });
      expect(passing).toHaveBeenCalledTimes(2);
    }
  });

  it('are found while the repeated work begins, which then has no effect', async () => {
    const [begun, done] = [jest.fn(), jest.fn()];
    const work = async (taken: () => Promise<void>): Promise<WireReply> => {
      begun();
      await taken();
      done();
      return reply({ id: 't1' });
    };
    const all = [await begin().once(request(), work), await begin().once(request(), work)];
    expect(all.map(({ headers }) => headers?.['replayed'])).toEqual([undefined, 'true']);
    expect([begun.mock.calls.length, done.mock.calls.length]).toEqual([2, 1]);
  });

  it('replace a refusal that came before the key was claimed', async () => {
    await idempotency.once(request(), () => Promise.resolve(reply({ id: 't1' })));
    const refuse = () => Promise.reject(new AppError('already_exists'));
    expect((await begin().once(request(), refuse)).headers).toMatchObject({ replayed: 'true' });
    await expect(begin().once(request({ input: 'another' }), refuse)).rejects.toMatchObject({
      reason: 'idempotency_key_reused',
    });
  });

  it('that cannot be written because the database is unavailable fail only the request itself', async () => {
    const insert = jest.spyOn(Collection.prototype, 'insertOne').mockRejectedValue(new Error('away'));
    const late = async (taken: () => Promise<void>): Promise<WireReply> => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      await taken();
      return reply({});
    };
    await expect(begin().once(request(), late)).rejects.toThrow('away');
    insert.mockRestore();
  });

  it('of many concurrent requests are all stored, with new and with known keys', async () => {
    const make = (key: string) => idempotency.once(request({ key }), () => Promise.resolve(reply({ key })));
    await make('k3');
    const all = await Promise.all(Array.from({ length: 40 }, (_, n) => make(`k${n}`)));
    expect(all.map((one) => (said(one)[0] as { key: string }).key)).toEqual(
      Array.from({ length: 40 }, (_, n) => `k${n}`),
    );
    expect(all.map(({ headers }) => headers?.['replayed'] === 'true')).toEqual(
      Array.from({ length: 40 }, (_, n) => n === 3),
    );
    const again = await Promise.all(Array.from({ length: 40 }, (_, n) => make(`k${n}`)));
    expect(again.every(({ headers }) => headers?.['replayed'] === 'true')).toBe(true);
  });

  it('are awaited by concurrent requests with the same key, of which one does the work', async () => {
    const work = jest.fn(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return reply({ id: 'one' });
    });
    const all = await Promise.all(Array.from({ length: 20 }, () => idempotency.once(request(), work)));
    expect(work).toHaveBeenCalledTimes(1);
    expect(all.map((one) => said(one)[0])).toEqual(Array.from({ length: 20 }, () => ({ id: 'one' })));
  });

  it('that are not ready in time cause idempotency_in_progress', async () => {
    const { work, begun, finish } = lastingWork();
    const first = idempotency.once(request(), work);
    await begun;
    await expect(idempotency.once(request({ deadline: now }), () => Promise.resolve(reply({})))).rejects.toMatchObject({
      reason: 'idempotency_in_progress',
      retryAfter: 1,
    });
    finish();
    await first;
  });

  it('of a stopped process are completed by the next request', async () => {
    const { work, begun } = lastingWork();
    void idempotency.once(request(), work);
    await begun;
    const next = jest.fn(() => Promise.resolve(reply({ id: 'next' })));
    await expect(idempotency.once(request({ deadline: now }), next)).rejects.toMatchObject({
      reason: 'idempotency_in_progress',
    });
    now += 3_001;
    expect(said(await idempotency.once(request(), next))[0]).toEqual({ id: 'next' });
    expect(said(await idempotency.once(request(), next))[0]).toEqual({ id: 'next' });
    expect(next).toHaveBeenCalledTimes(1);
  });

  it('are removed after a day, together with the record of the request', async () => {
    const work = jest.fn(() => Promise.resolve(reply({})));
    await idempotency.once(request(), work);
    now += 24 * 3_600_000 + 1;
    await idempotency.once(request({ input: 'another' }), work);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('are removed when a person is erased, but the record of which request a key belongs to stays', async () => {
    const work = jest.fn(() => Promise.resolve(reply({ name: 'Ann Answered' })));
    const refuse = () => Promise.reject(new AppError('already_exists', [], { message: 'Ann Answered has it' }));
    const other = { input: 'another' };
    await idempotency.once(request(), work);
    await expect(idempotency.once(request({ key: 'refused' }), refuse)).rejects.toMatchObject({
      reason: 'already_exists',
    });
    await idempotency.forget();
    expect(
      JSON.stringify(await client.db(`${prefix}${database}`).collection('op_answers').find().toArray()),
    ).not.toContain('Ann Answered');
    for (const key of ['k', 'refused'])
      await expect(idempotency.once(request({ key, ...other }), work)).rejects.toMatchObject({
        reason: 'idempotency_key_reused',
      });
    expect(work).toHaveBeenCalledTimes(1);
    expect((await idempotency.once(request({ key: 'refused' }), work)).headers).toEqual({ status: '201' });
    const again = await Promise.all([0, 1].map(() => idempotency.once(request(), work)));
    expect(again.filter(({ headers }) => headers?.['replayed'] === 'true')).toHaveLength(1);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('that are too long are not stored, and the key stays with its request', async () => {
    const work = jest.fn(() => Promise.resolve(reply({ text: 'x'.repeat(1024 * 1024) })));
    for (let n = 0; n < 2; n += 1) expect((await idempotency.once(request(), work)).headers).toEqual({ status: '201' });
    expect(work).toHaveBeenCalledTimes(2);
    await expect(idempotency.once(request({ input: 'another' }), work)).rejects.toMatchObject({
      reason: 'idempotency_key_reused',
    });
  });
});
