import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RuntimeRig, startRuntimeRig } from '../test/runtime-rig.js';

const script = `export default {
  async fetch(request, env, context) {
    const form = await request.formData();
    const event = JSON.parse(form.get('event'));
    const environment = JSON.parse(form.get('environment'));
    console.log('first', { a: [1, environment.secrets.KEY] }, environment.apiTokens.installation);
    console.error(new Error('logged').message);
    console.debug(10n, undefined, null, Symbol('s'));
    if (event.later) context.waitUntil(new Promise((done) => setTimeout(done, 200)).then(() => console.log('later')));
    if (event.fails) throw new TypeError('bad ' + environment.secrets.KEY);
    return new Response('ok');
  },
};`;

describe('the trace of a call', () => {
  let rig: RuntimeRig;
  let hash: string;
  beforeAll(async () => {
    rig = await startRuntimeRig();
    hash = await rig.put(script);
  });
  afterAll(() => rig.stop());

  const environment = { secrets: { KEY: 'very-secret' }, apiTokens: { installation: 'token-of-it' } };
  const traced = async (event: object) => rig.trace((await rig.run(hash, { event, environment })).call);

  it('has what the script has written, without secrets and tokens', async () => {
    const { outcome, logs, exceptions, truncated, durationMs } = await traced({});
    expect([outcome, exceptions, truncated]).toEqual(['ok', [], false]);
    expect(logs.slice(0, 2)).toEqual([
      { at: expect.any(Number), level: 'info', message: 'first {"a":[1,"***"]} ***' },
      { at: expect.any(Number), level: 'error', message: 'logged' },
    ]);
    expect(logs.length).toBe(3);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  it('has what comes after the answer', async () => {
    const { logs } = await traced({ later: true });
    expect(logs.at(-1)?.message).toBe('later');
  });

  it('has exceptions with their stack, while the caller sees an answer with 500', async () => {
    const { call, answer } = await rig.run(hash, { event: { fails: true }, environment });
    expect([answer.status, answer.body.toString()]).toEqual([500, 'Internal Server Error']);
    const { outcome, exceptions } = await rig.trace(call);
    expect([outcome, exceptions.length]).toEqual(['exception', 1]);
    expect(exceptions[0]).toMatchObject({
      name: 'TypeError',
      message: 'bad ***',
      stack: expect.stringContaining('script.js'),
    });
  });

  it('belongs to its call, also where several are in a process', async () => {
    const calls = await Promise.all(
      ['a', 'b', 'c'].map((KEY) => rig.run(hash, { environment: { ...environment, secrets: { KEY, other: 'x' } } })),
    );
    const ids = new Set(calls.map(({ call }) => call));
    expect(ids.size).toBe(3);
    for (const { call } of calls) expect((await rig.trace(call)).call).toBe(call);
  });

  it('is given once, and is nothing that can be guessed', async () => {
    const { call } = await rig.run(hash, { environment });
    await rig.trace(call);
    expect((await rig.ask(`/traces/${call}`)).status).toBe(404);
    expect((await rig.ask('/traces/unknown?within=1')).status).toBe(404);
    expect((await rig.ask('/traces/x?within=-1')).status).toBe(400);
    expect((await rig.ask('/traces/x?within=99999')).status).toBe(400);
  });
});
