import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { openEventStore } from '../../events/event-store.js';
import { type Store } from '../../store/store.js';
import { mark, marking, markingHandler } from '../../test/run.js';
import { eventually } from '../../test/servers.js';
import { contextOf } from '../../test/team.js';
import { useWorld } from '../../test/use-world.js';

const { servers, world } = useWorld();
const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

/** Starts a replica and waits for its first output. The workspace must have been built. */
async function startReplica(killAt = ''): Promise<ChildProcess> {
  const script = fileURLToPath(new URL('../../../dist/test/run-replica.js', import.meta.url));
  const child = spawn(process.execPath, [script, world.namespace, servers.eventstoreUrl, servers.mongoUrl, killAt], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  // It can die before it is ready.
  await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  return child;
}

const ask = (store: Store, id: string, steps: number) =>
  store.scope(contextOf('x')).requestRun(marking, { id, input: { team: id, steps } });
const ended = (store: Store) => eventually(async () => (await store.runs.count({ open: true })) === 0, 60_000);

/** The effects of a run's steps, in their order. */
async function marks(id: string): Promise<string[]> {
  const log = openEventStore(servers.eventstoreUrl);
  const part = await log.readStream(`${world.namespace}.identity.team-${id}`, 0n, 4096);
  await log.close();
  return part.kind === 'events' ? part.events.map(({ data }) => (data as { title: string }).title) : [];
}

const expected = (id: string, steps: number) => Array.from({ length: steps }, (_, at) => `${id} ${at}`);

function gate(): { open: () => void; passed: Promise<void> } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}

describe('a run', () => {
  it('is taken over immediately when its replica stops, and no step is done twice', async () => {
    const hold = gate();
    let begun = 0;
    const first = world.open({
      runs: [
        markingHandler({
          before: async (at) => {
            begun = at;
            if (at === 3) await hold.passed;
          },
        }),
      ],
    });
    await first.start();
    await ask(first, 'r', 6);
    await eventually(() => begun === 3);
    const second = world.open({ runs: [markingHandler()] });
    await second.start();
    const stopping = first.stop();
    hold.open();
    await stopping;
    await ended(second);
    expect(await marks('r')).toEqual(expected('r', 6));
    await expect(second.runs.find('r')).resolves.toMatchObject({ status: 'done', result: { marked: 6 } });
  });

  it('continues within seconds on another replica when its own is killed', async () => {
    const hold = gate();
    const asking = world.open({ runs: [markingHandler()] });
    const dying = await startReplica('after:4');
    await ask(asking, 'r', 20);
    await eventually(() => dying.signalCode === 'SIGKILL', 30_000);
    const before = (await marks('r')).length;
    const next = world.open({ runs: [markingHandler({ before: (at) => (at === 19 ? hold.passed : undefined) })] });
    await next.start();
    await eventually(async () => (await marks('r')).length > before, 30_000);
    hold.open();
    await ended(next);
    expect(await marks('r')).toEqual(expected('r', 20));
  }, 120_000);

  it('is not changed any more by a replica that has lost it', async () => {
    const hold = gate();
    const late: unknown[] = [];
    let steps = 0;
    const store = world.open({
      runs: [
        markingHandler({
          async before(at, context) {
            steps += 1;
            if (at !== 1 || steps !== 2) return;
            await hold.passed;
            await mark(context, 'late').catch((error: unknown) => late.push(error));
          },
        }),
      ],
    });
    await store.start();
    await ask(store, 'r', 3);
    await eventually(() => steps === 2);
    // Acts as another replica: it takes the run and releases it a step later.
    const docs = store.database.collection<{ _id: string; owner: string | null }>('op_runs');
    await docs.updateOne({ _id: 'r' }, { $set: { owner: 'another' }, $inc: { epoch: 1 } });
    await ask(store, 'other', 1);
    await eventually(async () => (await store.runs.find('other'))?.status === 'done');
    hold.open();
    await eventually(() => late.length === 1);
    expect(late[0]).toMatchObject({ reason: 'unavailable', message: 'this attempt at the step is over' });
    await docs.updateOne({ _id: 'r' }, { $set: { owner: null } });
    await ended(store);
    expect(await marks('r')).toEqual(expected('r', 3));
  });

  it('fails when too many replicas have died during the same step', async () => {
    let steps = 0;
    const store = world.open({ runs: [markingHandler({ before: () => void (steps += 1) })] });
    await ask(store, 'r', 2);
    const docs = store.database.collection<{ _id: string }>('op_runs');
    await docs.updateOne({ _id: 'r' }, { $set: { owner: 'the seventh', epoch: 7, deaths: 7 } });
    await store.start();
    await ended(store);
    await expect(store.runs.find('r')).resolves.toMatchObject({
      status: 'failed',
      failure: { reason: 'unexpected', message: 'Unexpected error' },
    });
    expect(steps).toBe(0);
  });

  it('is neither lost nor done twice when replicas die at any point', async () => {
    const asking = world.open({ runs: [markingHandler()] });
    const ids = Array.from({ length: 8 }, (_, n) => `r${n}`);
    const steps = 12;
    for (const id of ids) await ask(asking, id, steps);
    const points = ['before', 'after', 'recorded'];
    // The same generator and seed that all specs use.
    let seed = Number(process.env['SEED'] ?? 1);
    const random = (below: number): number => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % below;
    };
    const kills = Number(process.env['RUN_KILLS'] ?? 4);
    for (let n = 0; n < kills; n += 1) {
      const point = points[random(points.length)] ?? '';
      const times = point === 'recorded' ? 1 : 1 + random(12);
      const child = await startReplica(`${point}:${times}`);
      await eventually(
        async () => child.signalCode === 'SIGKILL' || (await asking.runs.count({ open: true })) === 0,
        30_000,
      );
      child.kill('SIGKILL');
    }
    await startReplica();
    await ended(asking);
    for (const id of ids) {
      expect(await marks(id)).toEqual(expected(id, steps));
      await expect(asking.runs.find(id)).resolves.toMatchObject({ status: 'done', result: { marked: steps } });
    }
  }, 180_000);
});
