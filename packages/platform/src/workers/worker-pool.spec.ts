import { AppError } from '@scriptorium/contracts';
import { eventually } from '@scriptorium/event-sourcing/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import type {
  allocate,
  double,
  fail,
  giveFunction,
  leave,
  refuse,
  spinUntilTold,
  surroundings,
} from '../test/tasks.js';
import { createWorkerPool, type WorkerPool, type WorkerPoolOptions } from './worker-pool.js';
import { compiledModule, workerTask } from './worker-task.js';

const module = compiledModule('../test/tasks.js', import.meta.url);
/** Longer than any of these specs needs: what they wait for is no time. */
const common = { module, withinMs: 60_000 };
const doubling = workerTask<typeof double>({ ...common, name: 'doubling', run: 'double' });
const spinning = workerTask<typeof spinUntilTold>({ ...common, name: 'spinning', run: 'spinUntilTold' });
const tooCostly = () => new AppError('too_large', [], { message: 'The text is too complex' });
const never = workerTask<typeof spinUntilTold>({ ...spinning, name: 'never', withinMs: 50, tooCostly });
const allocating = workerTask<typeof allocate>({ ...common, name: 'allocating', run: 'allocate', tooCostly });

const pools: WorkerPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
});

function open(options: WorkerPoolOptions = {}) {
  const seen = { queued: 0, running: 0, threads: 0, ended: [] as string[] };
  const pool = createWorkerPool({
    threads: 2,
    metrics: {
      state: (tasks, threads) => Object.assign(seen, tasks, { threads }),
      ended: (task, outcome) => seen.ended.push(`${task} ${outcome}`),
    },
    ...options,
  });
  pools.push(pool);
  return { pool, seen };
}

/** The two numbers by which a spinning task and a spec talk: whether it may end, and whether it has begun. */
function telling() {
  const buffer = new SharedArrayBuffer(8);
  const flag = new Int32Array(buffer);
  return { buffer, tell: () => void Atomics.store(flag, 0, 1), hasBegun: () => Atomics.load(flag, 1) === 1 };
}

describe('a task in the worker pool', () => {
  it('returns the result of its function', async () => {
    const { pool, seen } = open();
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => pool.run(doubling, n)));
    expect(all).toEqual(Array.from({ length: 20 }, (_, n) => 2 * n));
    expect(seen).toMatchObject({ queued: 0, running: 0 });
  });

  it('does not block its caller', async () => {
    const { pool } = open();
    const { buffer, tell } = telling();
    const result = pool.run(spinning, buffer);
    // It goes on until this has had so many turns: it would never end if it took them.
    for (let turns = 0; turns < 1000; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    tell();
    await expect(result).resolves.toBe('told');
  });

  it('fails with the reason of its function', async () => {
    const { pool } = open();
    const refusing = workerTask<typeof refuse>({ ...common, name: 'refusing', run: 'refuse' });
    const error: unknown = await pool.run(refusing, 'body.text').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({
      reason: 'limit_reached',
      message: 'Too much',
      details: [{ path: 'body.text', message: 'is too much' }],
      retryAfter: 7,
    });
  });

  it('that fails with another error is unexpected, and only the log names the error', async () => {
    const { pool, seen } = open();
    const failing = workerTask<typeof fail>({ ...common, name: 'failing', run: 'fail' });
    const leaving = workerTask<typeof leave>({ ...common, name: 'leaving', run: 'leave' });
    const giving = workerTask<typeof giveFunction>({ ...common, name: 'giving', run: 'giveFunction' });
    const taking = workerTask<(input: () => void) => void>({ ...common, name: 'doubling', run: 'double' });
    const missing = workerTask<typeof double>({ ...common, name: 'missing', run: 'missing' });
    for (const task of [failing, leaving, giving])
      await expect(pool.run(task, undefined)).rejects.toMatchObject({ reason: 'unexpected' });
    await expect(pool.run(failing, undefined)).rejects.toMatchObject({
      message: 'the task failing failed',
      cause: new Error('TypeError: inside'),
    });
    await expect(pool.run(missing, 1)).rejects.toMatchObject({ reason: 'unexpected' });
    await expect(pool.run(taking, () => undefined)).rejects.toMatchObject({
      message: 'the input of the task doubling cannot be copied',
    });
    await expect(pool.run(doubling, 4)).resolves.toBe(8);
    expect(seen.ended.filter((line) => line.endsWith(' failed'))).toHaveLength(6);
  });

  it('that takes too long is ended while other tasks continue', async () => {
    const { pool, seen } = open();
    const { buffer, tell } = telling();
    const other = pool.run(spinning, buffer);
    await expect(pool.run(never, telling().buffer)).rejects.toMatchObject({
      reason: 'too_large',
      message: 'The text is too complex',
    });
    tell();
    await expect(other).resolves.toBe('told');
    await expect(pool.run(doubling, 4)).resolves.toBe(8);
    expect(seen.ended).toEqual(['never deadline', 'spinning done', 'doubling done']);
  });

  it('that needs too much memory ends alone', async () => {
    const { pool, seen } = open({ heapMb: 32 });
    const { buffer, tell, hasBegun } = telling();
    const other = pool.run(spinning, buffer);
    await eventually(hasBegun);
    await expect(pool.run(allocating, undefined)).rejects.toMatchObject({ reason: 'too_large' });
    tell();
    await expect(other).resolves.toBe('told');
    expect(seen.ended[0]).toBe('allocating memory');
  });

  it('sees neither the environment nor the flags of the process', async () => {
    const looking = workerTask<typeof surroundings>({ ...common, name: 'looking', run: 'surroundings' });
    await expect(open().pool.run(looking, undefined)).resolves.toEqual({ env: 0, args: [] });
  });
});

describe('the worker pool', () => {
  it('keeps a thread for other tasks, however many tasks of one kind there are', async () => {
    const { pool, seen } = open();
    const { buffer, tell } = telling();
    const many = Array.from({ length: 5 }, () => pool.run(spinning, buffer));
    await expect(pool.run(doubling, 4)).resolves.toBe(8);
    expect(seen).toMatchObject({ queued: 4, running: 1 });
    tell();
    await Promise.all(many);
  });

  it('refuses tasks when too many wait', async () => {
    const { pool, seen } = open({ queueAtMost: 2 });
    const { buffer, tell } = telling();
    const waiting = Array.from({ length: 3 }, () => pool.run(spinning, buffer));
    await expect(pool.run(spinning, buffer)).rejects.toMatchObject({ reason: 'unavailable', retryAfter: 2 });
    await expect(pool.run(doubling, 4)).resolves.toBe(8);
    expect(seen.ended).toEqual(['spinning rejected', 'doubling done']);
    tell();
    await Promise.all(waiting);
  });

  it('drops waiting tasks that nobody waits for, and lets running ones end', async () => {
    const { pool, seen } = open();
    const { buffer, tell, hasBegun } = telling();
    const running = pool.run(spinning, buffer, { deadline: Date.now() + 100 });
    const queued = pool.run(spinning, buffer, { deadline: Date.now() });
    await expect(queued).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(running).rejects.toMatchObject({ reason: 'unavailable' });
    await eventually(hasBegun);
    expect(seen).toMatchObject({ queued: 0, running: 1, ended: ['spinning late'] });
    tell();
    await eventually(() => seen.running === 0);
    expect(seen).toMatchObject({ threads: 1, ended: ['spinning late', 'spinning done'] });
  });

  it('uses a thread that has loaded the module, and ends idle threads', async () => {
    const { pool, seen } = open({ idleMs: 1000 });
    for (let n = 0; n < 5; n += 1) await pool.run(doubling, n);
    expect(seen.threads).toBe(1);
    await eventually(() => {
      return seen.threads === 0;
    });
    await expect(pool.run(doubling, 4)).resolves.toBe(8);
  });

  it('ends running and waiting tasks when it is stopped', async () => {
    const { pool } = open();
    const { buffer } = telling();
    const all = Array.from({ length: 3 }, () => pool.run(spinning, buffer).catch((error: AppError) => error.reason));
    await pool.stop();
    expect(await Promise.all(all)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    await expect(pool.run(doubling, 1)).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

describe('the compiled module', () => {
  it.each([
    ['file:///usr/src/app/packages/p/src/workers/pool.ts', 'file:///usr/src/app/packages/p/dist/workers/task.js'],
    ['file:///usr/src/app/packages/p/dist/workers/pool.js', 'file:///usr/src/app/packages/p/dist/workers/task.js'],
  ])('beside %s is %s', (from, to) => {
    expect(compiledModule('./task.js', from).href).toBe(to);
  });
});
