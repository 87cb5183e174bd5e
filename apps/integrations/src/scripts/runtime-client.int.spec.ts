import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseConfig } from '@scriptorium/platform/config';
import { findEngine, startRuntime, type Runtime, type RuntimeParts } from '@scriptorium/runtime';
import { settings } from '@scriptorium/runtime/settings';
import { createHash, randomUUID } from 'node:crypto';
import { officialScript } from '../test/official-script.js';
import { envelopeOf } from './envelope.process.js';
import { preferredBy } from './replicas.process.js';
import { RuntimeClient, type ScriptCall } from './runtime-client.process.js';

const key = 'k'.repeat(40);
const events = { request: ignore, ended: ignore, outgoing: ignore, error: ignore };
function ignore(): void {
  // Nobody asks what happens here.
}

const script = `export default { async fetch(request) {
  const form = await request.formData();
  const { type } = JSON.parse(form.get('event'));
  const { secrets } = JSON.parse(form.get('environment'));
  if (type === 'throw') throw new Error('no ' + secrets.KEY);
  if (type === 'loop') for (;;);
  console.log('called with ' + secrets.KEY);
  const body = [type, request.headers.get('webhook-id'), await form.get('fetch-body')?.text()].join(' ');
  return new Response(body, { status: 201, headers: { 'x-own': 'yes' } });
} };`;

describe('a call of a script', () => {
  let runtime: Runtime;
  let client: RuntimeClient;
  const start = async (more: Partial<RuntimeParts> = {}) => {
    const variables = { RUNTIME_KEY: key, RUNTIME_PORT: '0', RUNTIME_API_ORIGIN: 'http://127.0.0.1:1' };
    return startRuntime(parseConfig(settings, variables), { engine: await findEngine(), events, ...more });
  };
  const clientOf = (url: string | undefined, own = key) => new RuntimeClient({ url, key: own, now: Date.now });
  const callOf = (type: string, source = script, more: Partial<ScriptCall> = {}): ScriptCall => ({
    integration: 'example',
    version: 1,
    organization: 'acme',
    script: createHash('sha256').update(source).digest('hex'),
    source: () => Promise.resolve(Buffer.from(source)),
    envelope: envelopeOf({ type }, { secrets: { KEY: 'quillfeather' } }, Buffer.from('raw bytes')),
    headers: { 'webhook-id': 'e1' },
    deadlineMs: 20_000,
    repeat: 'never',
    ...more,
  });
  const reasonOf = async (call: ScriptCall, by = client) => {
    const result = await by.run(call);
    return 'failure' in result ? result.failure.reason : result.answer.status;
  };

  beforeAll(async () => {
    runtime = await start();
    client = clientOf(runtime.address);
  });
  afterAll(async () => {
    await client.stop();
    await runtime.stop();
  });

  it('sends the script once, and has its answer and its trace without secrets', async () => {
    let sent = 0;
    const source = () => {
      sent += 1;
      return Promise.resolve(Buffer.from(script));
    };
    for (const type of ['first', 'second']) {
      const result = await client.run(callOf(type, script, { source }));
      if (!('answer' in result)) throw new Error(result.failure.message);
      const { status, headers, body } = result.answer;
      expect([status, body.toString('utf8')]).toEqual([201, `${type} e1 raw bytes`]);
      expect(headers).toContainEqual(['x-own', 'yes']);
      const trace = await result.trace(20_000);
      expect(trace).toMatchObject({ outcome: 'ok', logs: [{ level: 'info', message: 'called with ***' }] });
      expect(await result.trace(0)).toBeUndefined();
    }
    expect(sent).toBe(1);
  });

  it('tells of a script that throws by its answer and its trace', async () => {
    const result = await client.run(callOf('throw'));
    expect('answer' in result && result.answer.status).toBe(500);
    expect((await result.trace(20_000))?.exceptions).toMatchObject([{ message: 'no ***' }]);
  });

  it('is read by the official runtime of integrations, which says what it does not handle', async () => {
    const source = officialScript(`return runtime.createIntegration({
      events: { space_content_updated: (event, { environment }) => console.log(event.spaceId, environment.secrets.KEY) },
      fetch: async (request) => new Response(request.method + ' ' + (await request.text()), { status: 202 }),
    });`);
    const environment = { integration: { name: 'x', version: 1 }, secrets: { KEY: 'quillfeather' }, apiTokens: {} };
    const send = async (event: object) => {
      const envelope = envelopeOf({ eventId: 'e1', ...event }, environment, Buffer.from('sent'));
      const result = await client.run(callOf('', source, { envelope }));
      if (!('answer' in result)) throw new Error(result.failure.message);
      const logs = (await result.trace(20_000))?.logs.map(({ message }) => message) ?? [];
      return { status: result.answer.status, body: result.answer.body.toString('utf8'), logs };
    };
    const handled = await send({ type: 'space_content_updated', spaceId: 's1' });
    expect(handled.status).toBe(200);
    expect(handled.logs.some((line) => line.includes('s1 ***'))).toBe(true);
    expect((await send({ type: 'installation_setup' })).status).toBe(406);
    const request = { method: 'post', url: 'http://x.example.com/', headers: { 'x-own': 'yes' } };
    expect(await send({ type: 'fetch', request })).toMatchObject({ status: 202, body: 'POST sent' });
  });

  it('fails with the reason of the runtime', async () => {
    expect(await reasonOf(callOf('x', 'export default {'))).toBe('script_failed');
    expect(await reasonOf(callOf('loop', `${script}// loops`))).toBe('script_blocked');
    expect(await reasonOf(callOf('x', 'export default 1; // lost', { source: () => Promise.resolve(undefined) }))).toBe(
      'script_needed',
    );
    expect(await reasonOf(callOf('x'), clientOf(runtime.address, 'another'.repeat(6)))).toBe('unauthenticated');
  });

  it('says when there is no runtime, none that answers, or none with an engine', async () => {
    expect(clientOf(undefined).isThere).toBe(false);
    expect(await reasonOf(callOf('x'), clientOf(undefined))).toBe('unreachable');
    const gone = await start();
    await gone.stop();
    expect(await reasonOf(callOf('x'), clientOf(gone.address))).toBe('unreachable');
    const without = await start({ engine: { unavailable: 'no engine for this machine' } });
    const result = await clientOf(without.address).run(callOf('x'));
    await without.stop();
    expect(result).toMatchObject({
      failure: { reason: 'runtime_unavailable', message: 'no engine for this machine' },
    });
  });
});

describe('the replicas of the runtime', () => {
  const replicas = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => ({ address, family: 4 }));
  it('are used in an order of each integration, which stays when another one leaves', () => {
    const firsts = new Map<string, number>();
    for (let i = 0; i < 300; i += 1) {
      const integration = randomUUID();
      const [first, second] = preferredBy(integration, replicas);
      const left = replicas.filter(({ address }) => address !== first?.address);
      expect(preferredBy(integration, left.toReversed())[0]).toEqual(second);
      firsts.set(String(first?.address), (firsts.get(String(first?.address)) ?? 0) + 1);
    }
    for (const count of firsts.values()) expect(count).toBeGreaterThan(50);
  });
});
