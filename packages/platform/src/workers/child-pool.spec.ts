import { eventually } from '@scriptorium/event-sourcing/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createChildPool, type ChildPool, type ChildPoolOptions } from './child-pool.js';
import { childTask, type ChildTask } from './child-task.js';
import { compiledModule } from './worker-task.js';

const module = compiledModule('../test/child-tasks.js', import.meta.url);
const task = childTask({ name: 'spec', module, heapMb: 64, memoryMb: 256, outputAtMost: 1_000 });
/** Other systems do not limit what a process allocates. */
const onLinux = process.platform === 'linux' ? it : it.skip;

const pools: ChildPool[] = [];
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.stop()));
});

function open(options: ChildPoolOptions = {}) {
  const ended: string[] = [];
  const metrics = { state: () => undefined, ended: (_task: string, outcome: string) => void ended.push(outcome) };
  const pool = createChildPool({ metrics, ...options });
  pools.push(pool);
  const run = (text: string, withinMs = 60_000, own: ChildTask = task) =>
    pool.run(own, [Buffer.from(text)], { withinMs, deadline: Date.now() + 60_000 });
  return { pool, run, ended };
}

describe('a task in a process of its own', () => {
  it('gets all parts of its input and gives its output', async () => {
    const parts = [Buffer.from('count '), Buffer.alloc(3_000_000), Buffer.alloc(14)];
    const result = await open().pool.run(task, parts, { withinMs: 60_000, deadline: Date.now() + 60_000 });
    expect(result).toMatchObject({ outcome: 'done', output: Buffer.from('3000020') });
  });

  it('sees no environment but its own', async () => {
    const own = childTask({ ...task, env: { HTTPS_PROXY: 'http://127.0.0.1:9' } });
    const result = await open().run('show', 60_000, own);
    const shown = result.outcome === 'done' ? (JSON.parse(result.output.toString()) as object) : result;
    expect(shown).toMatchObject({ env: { HTTPS_PROXY: 'http://127.0.0.1:9' } });
    expect(Object.keys((shown as { env: object }).env)).toEqual(['HTTPS_PROXY']);
  });

  it('says why it failed', async () => {
    await expect(open().run('fail')).resolves.toEqual({ outcome: 'failed', says: 'no such face' });
    const absent = { ...task, module: new URL('file:///absent.js') };
    await expect(open().run('', 60_000, absent)).resolves.toMatchObject({ outcome: 'failed' });
  });

  it('is killed at its deadline', async () => {
    const { run, pool } = open();
    await expect(run('spin', 300)).resolves.toEqual({ outcome: 'deadline' });
    expect(pool.pids()).toEqual([]);
  });

  it('is killed when it writes more than it may', async () => {
    await expect(open().run('write 1000')).resolves.toMatchObject({ outcome: 'done' });
    await expect(open().run('write 1001')).resolves.toEqual({ outcome: 'too_large' });
  });

  onLinux('ends alone when it allocates too much', async () => {
    const { run, ended } = open();
    await expect(run('allocate')).resolves.toEqual({ outcome: 'memory' });
    expect(ended).toEqual(['memory']);
  });

  it('ends alone when somebody kills it', async () => {
    const { run, pool } = open();
    const result = run('spin');
    await eventually(() => pool.pids().length === 1);
    for (const pid of pool.pids()) process.kill(pid, 'SIGKILL');
    await expect(result).resolves.toEqual({ outcome: 'memory' });
    await expect(run('count')).resolves.toMatchObject({ outcome: 'done' });
  });
});

describe('a pool of processes', () => {
  it('runs no more at once than it may, and the others in their order', async () => {
    const { run, pool } = open({ atOnce: 1 });
    const order: string[] = [];
    const first = run('spin', 500).then(() => void order.push('first'));
    const others = ['second', 'third'].map((name) => run('count').then(() => void order.push(name)));
    await eventually(() => pool.pids().length === 1);
    await Promise.all([first, ...others]);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  it('refuses a task when too many wait, and one that has waited too long', async () => {
    const { run, pool, ended } = open({ atOnce: 1, queueAtMost: 1 });
    const first = run('spin', 1_000);
    const late = pool.run(task, [], { withinMs: 1, deadline: Date.now() + 20 });
    await expect(run('count')).rejects.toMatchObject({ reason: 'unavailable', retryAfter: 5 });
    await expect(late).rejects.toMatchObject({ reason: 'unavailable' });
    await first;
    expect(ended).toEqual(['rejected', 'late', 'deadline']);
  });

  it('kills what runs when it stops, and refuses what waits', async () => {
    const { run, pool } = open({ atOnce: 1 });
    const [first, second] = [run('spin'), run('count')];
    const refused = expect(second).rejects.toMatchObject({ reason: 'unavailable' });
    await eventually(() => pool.pids().length === 1);
    await pool.stop();
    await refused;
    await expect(first).resolves.toEqual({ outcome: 'stopped' });
    await expect(run('count')).rejects.toMatchObject({ reason: 'unavailable' });
  });
});
