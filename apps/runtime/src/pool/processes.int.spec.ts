import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { readdirSync } from 'node:fs';
import { ownTemp } from '../test/own-temp.js';
import { type RigOptions, type RuntimeRig, startRuntimeRig } from '../test/runtime-rig.js';

/** Does what the event says. */
const script = `
const kept = [];
const acts = {
  loop() { for (;;); },
  async microtasks() { for (;;) await Promise.resolve(); },
  heap() { for (;;) kept.push({ a: [1, 2, Math.random()] }); },
  async buffers() { for (;;) { kept.push(new Uint8Array(8e6).fill(1)); await new Promise((done) => setTimeout(done, 5)); } },
  async timers() { for (let i = 0; i < 10000; i += 1) setTimeout(() => kept.push(i), 60000); await acts.sleep({ ms: 50 }); },
  console() { for (let i = 0; i < 10000; i += 1) console.log('x'.repeat(1000)); },
  sleep: ({ ms }) => new Promise((done) => setTimeout(done, ms)),
  never: () => new Promise((done) => setTimeout(done, 100000)),
  async later() { await acts.sleep({ ms: 300 }); for (;;); },
  async grow() { kept.push(new Uint8Array(80e6).fill(1)); await acts.never(); },
};
export default {
  async fetch(request, env, context) {
    const event = JSON.parse((await request.formData()).get('event'));
    if (event.after) context.waitUntil(acts[event.after](event));
    if (event.stream) {
      const chunk = new Uint8Array(64 * 1024);
      return new Response(new ReadableStream({ async pull(controller) { if (event.slow) await acts.sleep({ ms: 20 }); controller.enqueue(chunk); } }));
    }
    await acts[event.act ?? 'sleep'](event);
    return new Response('done');
  },
};`;

describe('processes of scripts', () => {
  let rig: RuntimeRig;
  let hash: string;
  const start = async (options: RigOptions = {}): Promise<void> => {
    rig = await startRuntimeRig(options);
    hash = await rig.put(script);
  };
  afterEach(() => rig.stop());
  const act = (event: object, options: Parameters<RuntimeRig['run']>[1] = {}) => rig.run(hash, { ...options, event });
  const reasonOf = async (...asked: Parameters<typeof act>) => (await act(...asked)).error?.reason;

  it.each(['loop', 'microtasks'])('are ended when a script blocks them with %s, while others go on', async (kind) => {
    await start();
    await act({ ms: 1 }, { integration: 'good' });
    const begun = Date.now();
    const blocked = act({ act: kind }, { integration: 'bad' });
    let isOver = false;
    void blocked.then(() => (isOver = true));
    let answered = 0;
    while (!isOver) answered += (await act({ ms: 10 }, { integration: 'good' })).status === 200 ? 1 : 0;
    const { status, error, call } = await blocked;
    expect([status, error?.reason]).toEqual([502, 'script_blocked']);
    expect(answered).toBeGreaterThan(20);
    expect(Date.now() - begun).toBeLessThan(15_000);
    expect(await rig.trace(call)).toMatchObject({ outcome: 'blocked' });
    expect(rig.ended).toEqual([{ integration: 'bad', cause: 'blocked', rests: false }]);
    expect(await act({ ms: 1 }, { integration: 'bad' })).toMatchObject({ status: 200 });
  });

  it('are ended when a script blocks them after its answer, or while it is loaded', async () => {
    await start({ limits: { startMs: 3_000 } });
    expect(await reasonOf({ ms: 1, after: 'later' })).toBeUndefined();
    await eventually(() => rig.ended.length === 1);
    const loading = await rig.run(await rig.put('for (;;); export default {};'), { integration: 'loads' });
    expect(loading.error?.reason).toBe('script_blocked');
    expect(rig.ended.map(({ cause }) => cause)).toEqual(['blocked', 'blocked']);
  });

  it.each(['heap', 'buffers'])(
    'are ended, or refused more, when a script fills %s',
    async (kind) => {
      await start();
      const { status, error, answer } = await act({ act: kind }, { integration: 'bad', deadline: 30_000 });
      const what = error?.reason ?? `answer ${answer.status}`;
      expect(['script_out_of_memory', 'script_blocked', 'answer 500']).toContain(what);
      expect(status).toBeGreaterThanOrEqual(what === 'answer 500' ? 200 : 502);
      expect(await act({ ms: 1 }, { integration: 'good' })).toMatchObject({ status: 200 });
    },
    60_000,
  );

  it('are ended when their resident memory is over the bound', async () => {
    await start({ limits: { memoryMb: 100 } });
    expect(await reasonOf({ act: 'grow' })).toBe('script_out_of_memory');
    expect(rig.ended[0]).toMatchObject({ cause: 'memory' });
  });

  it('go on after 10,000 timers and 10 MB of console lines', async () => {
    await start();
    expect(await act({ act: 'timers' })).toMatchObject({ status: 200 });
    const { call } = await act({ act: 'console' });
    const { logs, truncated } = await rig.trace(call);
    expect([logs.map(({ message }) => message).join('').length, truncated]).toEqual([16 * 1024, true]);
    expect(await act({ ms: 1 })).toMatchObject({ status: 200 });
    expect(rig.ended).toEqual([]);
  });

  it('lose calls at their deadline, and stay for others', async () => {
    await start();
    const { status, error, call } = await act({ act: 'never' }, { deadline: 500 });
    expect([status, error?.reason]).toEqual([504, 'integration_timeout']);
    expect((await rig.trace(call)).outcome).toBe('timeout');
    expect(await act({ ms: 1 })).toMatchObject({ status: 200 });
    expect(rig.ended).toEqual([]);
  });

  it('have answers without an end cut, by their size and at the deadline', async () => {
    await start();
    await expect(act({ stream: true })).rejects.toThrow();
    await expect(act({ stream: true, slow: true }, { deadline: 800 })).rejects.toThrow();
    expect(await act({ ms: 1 })).toMatchObject({ status: 200 });
  });

  it('repeat calls alone that were ended because of another one, so that only that one fails', async () => {
    await start();
    await act({ ms: 1 });
    const waiting = [act({ ms: 3_500 }, { repeat: 'alone' }), act({ ms: 3_500 }, { repeat: 'never' })];
    const guilty = act({ act: 'loop' }, { repeat: 'alone' });
    const [good, lost] = await Promise.all(waiting);
    expect(good).toMatchObject({ status: 200 });
    expect((await rig.trace(good?.call ?? '')).outcome).toBe('ok');
    expect(lost?.error?.reason).toBe('script_blocked');
    expect((await guilty).error?.reason).toBe('script_blocked');
  }, 60_000);

  it('are not started for an integration that was ended three times, until it has rested', async () => {
    await start({ limits: { blockedMs: 500, restMs: 3_000 } });
    for (let i = 0; i < 3; i += 1) expect(await reasonOf({ act: 'loop' })).toBe('script_blocked');
    const { status, error, retryAfter } = await act({ ms: 1 });
    expect([status, error?.reason, Number(retryAfter) > 0]).toEqual([503, 'integration_resting', true]);
    expect(rig.ended.map(({ rests }) => rests)).toEqual([false, false, true]);
    expect(await reasonOf({ ms: 1 }, { integration: 'other' })).toBeUndefined();
    await eventually(async () => (await act({ ms: 1 })).status === 200);
  }, 60_000);

  it('make room for others by the one that was used least recently, and others wait for busy ones', async () => {
    await start({ settings: { RUNTIME_PROCESSES: '2' } });
    for (const integration of ['a', 'b', 'a', 'c']) {
      const { call } = await act({ ms: 1 }, { integration });
      // A process is idle when the trace of its last call is there, which comes after the answer.
      await rig.trace(call);
    }
    expect(rig.ended.map(({ integration, cause }) => [integration, cause])).toEqual([['b', 'idle']]);
    const busy = [act({ ms: 3_000 }, { integration: 'a' }), act({ ms: 3_000 }, { integration: 'c' })];
    // Requests that are sent at once may arrive in any order.
    await eventually(
      async () => (await reasonOf({ ms: 1 }, { integration: 'd', deadline: 300 })) === 'runtime_busy',
      2_000,
    );
    expect(await reasonOf({ ms: 1 }, { integration: 'd' })).toBeUndefined();
    expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([200, 200]);
    expect(rig.runtime.processes()).toBe(2);
  });

  it('are ended by the total bound: idle ones first, then the largest', async () => {
    const sizes = new Map<number, number>();
    // By the order in which they were started.
    const known: number[] = [];
    const read = (pids: readonly number[]) => {
      known.push(...pids.filter((pid) => !known.includes(pid)));
      return Promise.resolve(new Map(pids.map((pid) => [pid, sizes.get(known.indexOf(pid)) ?? 1024 * 1024])));
    };
    await start({ settings: { RUNTIME_TOTAL_MB: '256' }, parts: { read } });
    await act({ ms: 1 }, { integration: 'idle' });
    const busy = [act({ ms: 4_000 }, { integration: 'large' })];
    await eventually(() => rig.runtime.processes() === 2);
    busy.push(act({ ms: 2_000 }, { integration: 'small' }));
    await eventually(() => rig.runtime.processes() === 3);
    await act({ ms: 1 }, { integration: 'small' });
    for (const i of [0, 1, 2]) sizes.set(i, 100 * 1024 * 1024);
    await eventually(() => rig.ended.length === 1);
    sizes.set(1, 250 * 1024 * 1024);
    const [large, small] = await Promise.all(busy);
    expect([large?.error?.reason, small?.status]).toEqual(['script_out_of_memory', 200]);
    expect(rig.ended.map(({ integration, cause }) => [integration, cause])).toEqual([
      ['idle', 'idle'],
      ['large', 'total'],
    ]);
  });

  it('end when they are idle, and when a script does not end after its answer', async () => {
    await start({ limits: { idleMs: 300, afterAnswerMs: 600 } });
    await act({ ms: 1 });
    await eventually(() => rig.runtime.processes() === 0);
    const { call, status } = await act({ ms: 1, after: 'never' });
    expect([status, (await rig.trace(call)).outcome]).toEqual([200, 'unfinished']);
    await eventually(() => rig.runtime.processes() === 0);
    expect(rig.ended.map(({ cause }) => cause)).toEqual(['idle', 'overdue']);
  });

  it('are one for each organization where that is set, which has to be named then', async () => {
    await start({ settings: { RUNTIME_ISOLATION: 'organization' } });
    expect((await act({ ms: 1 })).error).toMatchObject({ field: 'headers.scriptorium-organization' });
    for (const organization of ['x', 'y', 'x']) await act({ ms: 1 }, { organization });
    expect(rig.runtime.processes()).toBe(2);
  });

  it('leave nothing behind when the runtime stops', async () => {
    const temp = ownTemp();
    try {
      await start({ parts: { temp: temp.folder } });
      const running = act({ act: 'never' }).catch(() => 'gone');
      await eventually(() => rig.runtime.processes() === 1);
      expect(readdirSync(temp.folder).length).toBeGreaterThan(0);
      await rig.runtime.stop();
      expect([await running, rig.runtime.processes(), readdirSync(temp.folder)]).toEqual(['gone', 0, []]);
    } finally {
      temp.remove();
    }
  });
});
