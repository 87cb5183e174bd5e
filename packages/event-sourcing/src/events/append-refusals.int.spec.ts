import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startEventStoreServer } from '@scriptorium/embedded/eventstore';
import { silentLogger } from '../process/observe.js';
import { someMetadata } from '../testing.js';
import { forClient } from './client.js';
import { openEventStore } from './event-store.js';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const event = (bytes = 0) => ({
  id: crypto.randomUUID(),
  type: 'Noted',
  data: { text: 'x'.repeat(bytes) },
  metadata: someMetadata(),
});

/** A server whose clock is ahead of that of this process. */
async function serverAhead(ms: number): Promise<string> {
  const program = fileURLToPath(new URL('bin.js', import.meta.resolve('@scriptorium/embedded/eventstore')));
  const clock = `data:text/javascript,const now = Date.now; Date.now = () => now() + ${ms};`;
  const child = spawn(process.execPath, ['--import', clock, program, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return line.toString().trim();
}

function open(url: string) {
  const lines: string[] = [];
  const store = openEventStore(url, { ...silentLogger, error: (_fields, message) => void lines.push(message) });
  ends.push(() => store.close());
  return { store, lines };
}

describe('a server whose clock is ahead', () => {
  it('is noticed, told of once, and appended to all the same', async () => {
    const { store, lines } = open(await serverAhead(6000));
    const append = (stream: string) => store.append(stream, -1n, [event()]);
    const outcomes = await Promise.all(['t.identity.a-1', 't.identity.a-2', 't.identity.a-3'].map(append));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['appended', 'appended', 'appended']);
    expect(await append('t.identity.a-4')).toMatchObject({ kind: 'appended', revision: 0n });
    expect(lines).toEqual([
      expect.stringMatching(/its clock is ahead of this machine's.*Synchronise.*docs\/operations/),
    ]);
    expect(await store.readStream('t.identity.a-1', 0n, 10)).toMatchObject({ events: { length: 1 } });
  });

  it('does not matter while appends arrive in time', async () => {
    const { store, lines } = open(await serverAhead(2000));
    expect(await store.append('t.identity.b-1', -1n, [event()])).toMatchObject({ kind: 'appended' });
    expect(lines).toEqual([]);
  });
});

describe('an append that is too large for the server', () => {
  it.each([
    ['as a whole', { maxAppendSize: 10_000 }],
    ['in one of its events', { maxAppendEventSize: 10_000 }],
  ])('%s is refused as too_large, and others go on', async (_what, limits) => {
    const server = await startEventStoreServer(limits);
    ends.push(() => server.stop());
    const { store } = open(server.url);
    const refused = store.append('t.identity.c-1', -1n, [event(), event(11_000)]);
    const fits = store.append('t.identity.c-2', -1n, [event(9_000)]);
    await expect(refused).rejects.toMatchObject({ reason: 'too_large' });
    expect(await fits).toMatchObject({ kind: 'appended' });
    expect(await store.readStream('t.identity.c-1', 0n, 10)).toEqual({ kind: 'absent' });
  });

  it('because no record can hold an event is refused as too_large', async () => {
    const server = await startEventStoreServer();
    ends.push(() => server.stop());
    const { store } = open(server.url);
    await expect(store.append('t.identity.d-1', -1n, [event(18 * 1024 * 1024)])).rejects.toMatchObject({
      reason: 'too_large',
    });
    expect(await store.append('t.identity.d-1', -1n, [event()])).toMatchObject({ kind: 'appended' });
  });
});

describe('an address of KurrentDB', () => {
  it.each(['kurrentdb', 'kurrent', 'kdb'])(
    'with the scheme %s is that of EventStoreDB for the client',
    async (scheme) => {
      const rest = 'user:kdb%3A%2F%2F@a:2113,b:2113?tls=false';
      expect(forClient(`${scheme}://${rest}`)).toBe(`esdb://${rest}`);
      expect(forClient(`${scheme}+discover://${rest}`)).toBe(`esdb+discover://${rest}`);
      const server = await startEventStoreServer();
      ends.push(() => server.stop());
      const { store } = open(server.url.replace('esdb', scheme));
      expect(await store.append('t.identity.e-1', -1n, [event()])).toMatchObject({ kind: 'appended' });
      expect(await store.requireServer()).toMatch(/^\d+\.\d+/);
    },
  );

  it('is left alone otherwise', () => {
    for (const url of ['esdb://a:1?tls=false', 'esdb+discover://a:1', 'http://kdb://a'])
      expect(forClient(url)).toBe(url);
  });
});
