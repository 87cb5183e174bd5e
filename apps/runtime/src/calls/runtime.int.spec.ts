import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { key, type RuntimeRig, startRuntimeRig } from '../test/runtime-rig.js';

const echo = `let calls = 0;
export default {
  async fetch(request) {
    calls += 1;
    const form = await request.formData();
    const event = JSON.parse(form.get('event'));
    console.log('called', calls);
    return Response.json({ path: new URL(request.url).pathname, method: request.method, event, calls,
      id: request.headers.get('webhook-id'), authorization: request.headers.get('authorization') },
      { status: event.status ?? 200, headers: { 'x-own': 'yes' } });
  },
};`;

describe('the runtime', () => {
  let rig: RuntimeRig;
  beforeAll(async () => {
    rig = await startRuntimeRig();
  });
  afterAll(() => rig.stop());

  it('asks for a script that it does not have, takes it, and calls it with the envelope', async () => {
    const hash = createHash('sha256').update(echo).digest('hex');
    expect(await rig.run(hash)).toMatchObject({ status: 409, error: { reason: 'script_needed' } });
    expect(rig.runtime.processes()).toBe(0);
    await rig.put(echo);
    const { status, answer } = await rig.run(hash, {
      headers: { 'webhook-id': 'w1' },
      event: { type: 'task', task: 7 },
    });
    expect([status, answer.status]).toEqual([200, 200]);
    expect(JSON.parse(answer.body.toString())).toEqual({
      path: '/v1',
      method: 'POST',
      event: { type: 'task', task: 7 },
      calls: 1,
      id: 'w1',
      authorization: null,
    });
    expect(answer.headers).toContainEqual(['x-own', 'yes']);
  });

  it('passes on the status of the script, and keeps one process for a version', async () => {
    const hash = await rig.put(echo);
    const first = await rig.run(hash, { integration: 'kept', event: { status: 406 } });
    const second = await rig.run(hash, { integration: 'kept' });
    const other = await rig.run(hash, { integration: 'kept', version: 2 });
    const calls = [first, second, other].map(
      ({ answer }) => (JSON.parse(answer.body.toString()) as { calls: number }).calls,
    );
    expect([first.status, first.answer.status, calls]).toEqual([200, 406, [1, 2, 1]]);
  });

  it.each([
    ['no key', undefined],
    ['another key', `Bearer ${'x'.repeat(40)}`],
    ['the key in another scheme', `Basic ${key}`],
    ['a longer key', `Bearer ${key}k`],
  ])('refuses a caller with %s', async (_, authorization) => {
    const answer = await fetch(
      `${rig.runtime.address}/traces/x`,
      authorization === undefined ? {} : { headers: { authorization } },
    );
    expect(answer.status).toBe(401);
  });

  it.each([
    ['scriptorium-integration', ''],
    ['scriptorium-integration', 'a b'],
    ['scriptorium-version', '0'],
    ['scriptorium-deadline', '30001'],
    ['scriptorium-deadline', 'soon'],
    ['scriptorium-repeat', 'often'],
    ['content-type', 'application/json'],
  ])('refuses a call with the header %s: %s', async (name, value) => {
    const hash = await rig.put(echo);
    const { status, error } = await rig.run(hash, { headers: { [name]: value } });
    expect([status, error?.field]).toEqual([400, `headers.${name}`]);
  });

  it('refuses bodies that are no envelope, and what is too large', async () => {
    const hash = await rig.put(echo);
    const headers = {
      'scriptorium-integration': 'a',
      'scriptorium-version': '1',
      'scriptorium-deadline': '1000',
      'scriptorium-repeat': 'never',
    };
    const sent = async (body: FormData | Uint8Array) =>
      rig.ask(`/run/${hash}`, {
        method: 'POST',
        headers: body instanceof FormData ? headers : { ...headers, 'content-type': 'multipart/form-data; boundary=x' },
        body,
      });
    const form = new FormData();
    form.set('event', '{}');
    expect(await (await sent(form)).json()).toMatchObject({ error: { field: 'body.environment' } });
    expect(await (await sent(Buffer.from('no form'))).json()).toMatchObject({ error: { field: 'body' } });
    expect((await sent(new Uint8Array(8 * 1024 * 1024 + 1))).status).toBe(413);
    const large = Buffer.alloc(4 * 1024 * 1024 + 1);
    const name = createHash('sha256').update(large).digest('hex');
    expect((await rig.ask(`/scripts/${name}`, { method: 'PUT', body: large })).status).toBe(413);
  });

  it('refuses a script under another hash, and what is no hash', async () => {
    const put = async (hash: string) => {
      const answer = await rig.ask(`/scripts/${hash}`, { method: 'PUT', body: 'export default {}' });
      return [answer.status, ((await answer.json()) as { error: { field: string } }).error.field];
    };
    expect(await put('0'.repeat(64))).toEqual([400, 'body']);
    expect(await put('..%2f..%2fetc')).toEqual([400, 'path.hash']);
    expect(await rig.run('x')).toMatchObject({ status: 400, error: { field: 'path.hash' } });
  });

  it('answers other paths with 404, and other methods with 405', async () => {
    expect((await rig.ask('/other')).status).toBe(404);
    expect((await rig.ask('/run/x')).status).toBe(405);
  });

  it('tells why a script cannot be loaded', async () => {
    for (const source of [
      'export default { fetch( {',
      'const x = undefined.y; export default {};',
      'export const z = 1;',
    ]) {
      const { status, error, call } = await rig.run(await rig.put(source), { integration: 'broken' });
      expect([status, error?.reason, error?.message]).toEqual([
        502,
        'script_failed',
        expect.stringMatching(/cannot be loaded: .*(SyntaxError|TypeError)/),
      ]);
      expect((await rig.trace(call)).exceptions[0]?.message).toMatch(/SyntaxError|TypeError/);
    }
  });

  it('says for each call why no engine runs', async () => {
    const other = await startRuntimeRig({ parts: { engine: { unavailable: 'There is no engine for plan9' } } });
    try {
      const hash = await other.put(echo);
      expect(await other.run(hash)).toMatchObject({
        status: 501,
        error: { reason: 'runtime_unavailable', message: 'There is no engine for plan9' },
      });
    } finally {
      await other.stop();
    }
  });
});
