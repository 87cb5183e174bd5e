import { describe, expect, it } from '@jest/globals';
import { AppError } from '@scriptorium/contracts';
import { z } from 'zod';
import { reactor } from '../../reactors/reactor.js';
import { openEventStore } from '../../events/event-store.js';
import { type Store } from '../../store/store.js';
import { type MarkingHooks, mark, marking, markingHandler } from '../../test/run.js';
import { eventually } from '../../test/servers.js';
import { contextOf, create, team, teamEvents } from '../../test/team.js';
import { useWorld } from '../../test/use-world.js';
import { defineRun } from '../run-kind.js';
import { runHandler } from './run-steps.js';
import { type RunView } from '../../commands/run-request.js';

const { servers, world } = useWorld();

const open = async (hooks: MarkingHooks = {}, more: Parameters<typeof world.open>[0] = {}): Promise<Store> => {
  const store = world.open({ runs: [markingHandler(hooks)], ...more });
  await store.start();
  return store;
};
const ask = (store: Store, id: string, steps: number, more: object = {}) =>
  store.scope(contextOf('x', more)).requestRun(marking, { id, input: { team: `team-${id}`, steps } });
const cancel = (store: Store, id: string) => store.scope(contextOf('stop')).cancelRun(id);
const ended = async (store: Store, id: string, ms?: number): Promise<RunView> => {
  await eventually(async () => ((await store.runs.find(id))?.endedAt ?? 0) > 0, ms);
  return (await store.runs.find(id)) as RunView;
};
const openDocs = (store: Store) => store.database.collection<{ _id: string; beat?: number }>('op_runs');

/** The effects of a run's steps, in their order. */
async function marks(id: string): Promise<string[]> {
  const log = openEventStore(servers.eventstoreUrl);
  const part = await log.readStream(`${world.namespace}.identity.team-team-${id}`, 0n, 4096);
  await log.close();
  return part.kind === 'events' ? part.events.map(({ data }) => (data as { title: string }).title) : [];
}

/** Waits for `times` further heartbeats of the run's owner. After that the owner is sure to have it. */
async function beaten(store: Store, id: string, times: number): Promise<void> {
  const beats = async () => Number((await openDocs(store).findOne({ _id: id }))?.beat);
  const from = await beats();
  await eventually(async () => (await beats()) >= from + times);
}

function gate(): { open: () => void; passed: Promise<void> } {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}

/** A clock that a spec sets. It is both clocks of a store, which keeps its leases as long as it sends heartbeats. */
function movable() {
  const moved = { wall: 0, span: 0 };
  return { moved, now: () => Date.now() + moved.wall, monotonic: () => performance.now() + moved.span };
}

describe('a run', () => {
  it('does its steps in order, and every replica shows its progress and result', async () => {
    const [second, last] = [gate(), gate()];
    const waits = new Map([
      [1, second],
      [2, last],
    ]);
    const store = await open({ before: (at) => waits.get(at)?.passed });
    const other = world.open({});
    const asked = await ask(store, 'r', 3);
    expect(asked).toMatchObject({ status: expect.stringMatching(/pending|running/), organization: 'o1', result: null });
    await expect(other.runs.find('r')).resolves.toMatchObject({ id: 'r', kind: 'marking', requestedBy: 'u1' });
    await eventually(async () => (await other.runs.find('r'))?.progress?.done === 1);
    await expect(other.runs.find('r')).resolves.toMatchObject({ status: 'running', progress: { done: 1, total: 3 } });
    second.open();
    await eventually(async () => (await other.runs.find('r'))?.progress?.done === 2);
    last.open();
    await expect(ended(other, 'r')).resolves.toMatchObject({
      status: 'done',
      progress: { done: 3, total: 3 },
      result: { marked: 3 },
      attempts: 0,
    });
    expect(await marks('r')).toEqual(['r 0', 'r 1', 'r 2']);
  });

  it('is one run for repeated requests with its id, and no other run can have the id', async () => {
    const store = await open();
    const all = await Promise.all(Array.from({ length: 10 }, (_, n) => ask(store, 'r', 2, { idem: `k${n}` })));
    expect(new Set(all.map(({ requestedAt }) => requestedAt)).size).toBe(1);
    await ended(store, 'r');
    await expect(ask(store, 'r', 2)).resolves.toMatchObject({ status: 'done' });
    await expect(ask(store, 'r', 3)).rejects.toMatchObject({ reason: 'already_exists' });
    expect(await marks('r')).toEqual(['r 0', 'r 1']);
    const undeclared = defineRun({ ...marking, kind: 'other' });
    await expect(
      store.scope(contextOf('x')).requestRun(undeclared, { id: 'q', input: { team: 't', steps: 1 } }),
    ).rejects.toMatchObject({ reason: 'unexpected' });
  });

  it('is refused beyond the number of open runs that an organization may have', async () => {
    const store = world.open({ runs: [markingHandler()] });
    for (let n = 0; n < 50; n += 1) await ask(store, `r${n}`, 1);
    await expect(ask(store, 'more', 1)).rejects.toMatchObject({ reason: 'limit_reached' });
    await expect(ask(store, 'r7', 1)).resolves.toMatchObject({ id: 'r7' });
    await expect(ask(store, 'theirs', 1, { organization: 'o2' })).resolves.toMatchObject({ organization: 'o2' });
    await expect(store.runs.count({ organization: 'o1', open: true })).resolves.toBe(50);
    const page = await store.runs.list({ kind: 'marking' }, { limit: 2 });
    expect(page.map(({ id }) => id)).toEqual(['r0', 'r1']);
  });

  it('records nothing in a dry run', async () => {
    const store = await open();
    const dry = store.scope(contextOf('x'), { dry: true });
    await expect(dry.requestRun(marking, { id: 'r', input: { team: 't', steps: 1 } })).resolves.toMatchObject({
      id: 'r',
      status: 'pending',
    });
    await expect(store.runs.find('r')).resolves.toBeNull();
    expect(await openDocs(store).countDocuments()).toBe(0);
  });

  it('can be requested by a reactor, by a timer and by a run', async () => {
    const parent = defineRun({ kind: 'parent', input: z.object({}), state: z.null(), begin: () => null });
    const input = (id: string) => ({ id, input: { team: `team-${id}`, steps: 1 } });
    const store = await open(
      {},
      {
        runs: [
          markingHandler(),
          runHandler(parent, {
            step: async (_, scope) => ({ done: (await scope.requestRun(marking, input('by-run'))).id }),
          }),
        ],
        reactors: [
          reactor({
            name: 'starter',
            events: [teamEvents.pick('TeamCreated')],
            entities: ['team'],
            async react({ entityId }, scope) {
              await scope.requestRun(marking, input('by-reactor'));
              await scope.schedule({ id: entityId, at: Date.now(), command: 'start', data: null });
            },
          }),
        ],
        timers: {
          async start(_timer, scope) {
            await scope.requestRun(marking, input('by-timer'));
            await scope.requestRun(parent, { id: 'p', input: {} });
          },
        },
      },
    );
    await store.scope(contextOf('x')).handle(team, 't', (state) => create(state, { title: 'a', organization: 'o1' }));
    for (const id of ['by-reactor', 'by-timer', 'by-run'])
      expect(await ended(store, id)).toMatchObject({ status: 'done', organization: 'o1' });
    await expect(store.runs.find('by-reactor')).resolves.toMatchObject({ requestedBy: 'starter' });
  });

  it('is found and done when its requester died before it had a document', async () => {
    const dead = world.open({ runs: [markingHandler()] });
    await ask(dead, 'r', 2);
    await openDocs(dead).deleteMany({});
    await expect(dead.runs.find('r')).resolves.toMatchObject({ id: 'r', status: 'pending' });
    expect(await ended(await open(), 'r')).toMatchObject({ status: 'done' });
    expect(await marks('r')).toEqual(['r 0', 'r 1']);
  });

  it('continues from the last state in its stream when the database was lost', async () => {
    const clock = movable();
    const hold = gate();
    const seen: string[] = [];
    const first = await open(
      {
        before(at, { idem }) {
          seen.push(idem);
          return at === 3 ? hold.passed : undefined;
        },
        after: (at) => void (clock.moved.span += at === 1 ? 5000 : 0),
      },
      { clock },
    );
    await ask(first, 'r', 5);
    await eventually(() => seen.includes('run:r:3'));
    await first.stop();
    await first.database.dropDatabase().catch(() => undefined);
    const second = world.open({ runs: [markingHandler({ before: (_, { idem }) => void seen.push(idem) })] });
    await second.database.dropDatabase();
    seen.length = 0;
    await second.start();
    expect(await ended(second, 'r')).toMatchObject({ status: 'done', result: { marked: 5 } });
    expect(seen).not.toContain('run:r:0');
    expect(await marks('r')).toEqual(['r 0', 'r 1', 'r 2', 'r 3', 'r 4']);
    hold.open();
  });
});

describe('a run that is cancelled', () => {
  it('ends at the next step boundary and cleans up', async () => {
    const hold = gate();
    const store = await open({
      after: (at) => (at === 1 ? hold.passed : undefined),
      async cleanUp(at, context, why) {
        await mark(context, `clean ${at} ${why}`);
        return at === 2 ? { next: { at: 99 } } : { done: null };
      },
    });
    await ask(store, 'r', 5);
    await eventually(async () => (await marks('r')).length === 2);
    await cancel(store, 'r');
    await expect(store.runs.find('r')).resolves.toMatchObject({ status: 'cancelling' });
    hold.open();
    expect(await ended(store, 'r')).toMatchObject({ status: 'cancelled', result: null });
    expect(await marks('r')).toEqual(['r 0', 'r 1', 'r clean 2 cancelled', 'r clean 99 cancelled']);
    await cancel(store, 'r');
    await expect(store.runs.find('r')).resolves.toMatchObject({ status: 'cancelled' });
  });

  it('does not wait for the end of its pause', async () => {
    const store = await open(
      {},
      {
        runs: [runHandler(marking, { step: () => Promise.resolve({ next: { at: 1 }, afterMs: 3_600_000 }) })],
      },
    );
    await ask(store, 'r', 1);
    await eventually(async () => (await store.runs.find('r'))?.step === 1);
    await cancel(store, 'r');
    expect(await ended(store, 'r')).toMatchObject({ status: 'cancelled', step: 1 });
  });

  it('must exist and be of a kind that can be cancelled', async () => {
    const fixed = defineRun({ ...marking, kind: 'fixed', cancellable: false });
    const hold = gate();
    const store = await open(
      {},
      {
        runs: [runHandler(fixed, { step: () => hold.passed.then(() => ({ done: null })) })],
      },
    );
    await store.scope(contextOf('x')).requestRun(fixed, { id: 'r', input: { team: 't', steps: 1 } });
    await expect(cancel(store, 'r')).rejects.toMatchObject({ reason: 'conflict' });
    await expect(cancel(store, 'unknown')).rejects.toMatchObject({ reason: 'not_found' });
    hold.open();
    expect(await ended(store, 'r')).toMatchObject({ status: 'done' });
  });
});

describe('a step that fails', () => {
  it('is tried again with the same key, and its earlier commands are not carried out twice', async () => {
    const keys: string[] = [];
    const hold = gate();
    const store = await open({
      async after(at, { idem }) {
        keys.push(idem);
        if (at === 1 && keys.length < 4) throw new Error('not yet');
        if (at === 1) await hold.passed;
      },
    });
    await ask(store, 'r', 2);
    await eventually(async () => (await store.runs.find('r'))?.attempts === 2);
    await expect(store.runs.find('r')).resolves.toMatchObject({ status: 'running', error: 'Error: not yet' });
    hold.open();
    const view = await ended(store, 'r');
    expect([view.status, view.error]).toEqual(['done', undefined]);
    expect(keys).toEqual(['run:r:0', 'run:r:1', 'run:r:1', 'run:r:1']);
    expect(await marks('r')).toEqual(['r 0', 'r 1']);
  });

  it('ends the run with a reason after the last attempt', async () => {
    const clock = movable();
    const store = await open(
      {
        before() {
          throw new AppError('limit_reached', [], { message: 'The space is full' });
        },
        async cleanUp(_at, context, why) {
          await mark(context, why);
          return { failed: new AppError('not_found', [], { message: 'Nothing to clean up' }) };
        },
      },
      { clock },
    );
    await ask(store, 'r', 1);
    for (let attempts = 1; attempts < 8; attempts += 1) {
      await eventually(async () => ((await store.runs.find('r'))?.attempts ?? 0) >= attempts);
      clock.moved.wall += 60_000;
    }
    expect(await ended(store, 'r')).toMatchObject({
      status: 'failed',
      failure: { reason: 'limit_reached', message: 'The space is full' },
    });
    expect(await marks('r')).toEqual(['r failed']);
  });

  it('ends the run immediately when it returns a failure', async () => {
    const failed = new AppError('not_found', [], { message: 'The space was deleted' });
    const store = await open({}, { runs: [runHandler(marking, { step: () => Promise.resolve({ failed }) })] });
    await ask(store, 'r', 1);
    expect(await ended(store, 'r')).toMatchObject({
      status: 'failed',
      failure: { reason: 'not_found', message: 'The space was deleted' },
      attempts: 0,
    });
  });
});

describe('a replica', () => {
  it('works on a limited number of runs at a time', async () => {
    let [atWork, most] = [0, 0];
    const both = gate();
    const store = await open(
      {
        async before() {
          most = Math.max(most, (atWork += 1));
          if (atWork === 2) both.open();
          await both.passed;
          await new Promise((resolve) => setImmediate(resolve));
          atWork -= 1;
        },
      },
      { runsAtOnce: 2 },
    );
    const ids = ['a', 'b', 'c', 'd', 'e'];
    for (const id of ids) await ask(store, id, 2);
    await eventually(async () => (await store.runs.count({ open: true })) === 0);
    expect(most).toBe(2);
    for (const id of ids) expect(await marks(id)).toEqual([`${id} 0`, `${id} 1`]);
  });

  it('keeps one place free of runs that leave room to other kinds', async () => {
    const waiting = gate();
    const slow = defineRun({ ...marking, kind: 'slow', leavesRoom: true });
    let atWork = 0;
    const handler = runHandler(slow, {
      async step() {
        atWork += 1;
        await waiting.passed;
        return { done: null };
      },
    });
    const store = await open({}, { runs: [markingHandler(), handler], runsAtOnce: 3 });
    for (const id of ['s1', 's2', 's3'])
      await store.scope(contextOf('x')).requestRun(slow, { id, input: { team: 't', steps: 1 } });
    await eventually(() => atWork === 2);
    await ask(store, 'r', 2);
    expect(await ended(store, 'r')).toMatchObject({ status: 'done' });
    expect(atWork).toBe(2);
    waiting.open();
    await eventually(async () => (await store.runs.count({ open: true })) === 0);
    expect(atWork).toBe(3);
  });

  it('releases a run between two steps when it has taken long and others wait', async () => {
    const clock = movable();
    const waiting = gate();
    const began: string[] = [];
    const store = await open(
      {
        async before(at, { id }) {
          began.push(`${id} ${at}`);
          await waiting.passed;
        },
        after: () => void (clock.moved.span += 10_000),
      },
      { clock, runsAtOnce: 1 },
    );
    await ask(store, 'a', 3);
    await eventually(() => began.length === 1);
    await ask(store, 'b', 2);
    // The owner notices at the next heartbeat at the latest that another run waits.
    await beaten(store, 'a', 2);
    waiting.open();
    await eventually(async () => (await store.runs.count({ open: true })) === 0);
    expect(began.slice(0, 2)).toEqual(['a 0', 'b 0']);
    for (const id of ['a', 'b']) expect((await marks(id)).at(-1)).toBe(id === 'a' ? 'a 2' : 'b 1');
  });

  it('does not work on runs of versions that it does not know', async () => {
    const asking = world.open({ runs: [markingHandler()] });
    await ask(asking, 'r', 1);
    const next = defineRun({ ...marking, version: 2 });
    const young = await open({}, { runs: [runHandler(next, { step: () => Promise.resolve({ done: null }) })] });
    await young.scope(contextOf('x')).requestRun(next, { id: 'n', input: { team: 't', steps: 1 } });
    await ended(young, 'n');
    await expect(young.runs.find('r')).resolves.toMatchObject({ status: 'pending', version: 1 });
    expect(await ended(await open(), 'r')).toMatchObject({ status: 'done' });
  });

  it('removes ended runs after the time for which they are kept', async () => {
    const clock = movable();
    const hold = gate();
    const store = await open({ before: (_, { id }) => (id === 'open' ? hold.passed : undefined) }, { clock });
    await ask(store, 'r', 1);
    await ask(store, 'open', 1);
    await ended(store, 'r');
    clock.moved.wall += 60_001;
    await eventually(async () => (await store.runs.find('r')) === null, 15_000);
    await expect(store.runs.find('open')).resolves.toMatchObject({ status: 'running' });
    hold.open();
  });
});
