import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EventStore, openEventStore } from './event-store.js';
import { type Servers, startServers } from '../test/servers.js';
import { someMetadata } from '../testing.js';

let servers: Servers;
beforeAll(async () => void (servers = await startServers()));
afterAll(() => servers.stop());

/** A proxy to the server whose connections can be cut. */
async function wayTo(url: string) {
  const { hostname, port } = new URL(url.replace('esdb:', 'http:'));
  const sockets = new Set<Socket>();
  const way = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far])
      sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const { port: own } = way.address() as AddressInfo;
  const close = () => {
    const closed = new Promise((resolve) => way.close(resolve));
    cut();
    return closed;
  };
  return { url: url.replace(/:\d+(?=\?|$)/, `:${own}`), cut, close };
}

const padding = 'x'.repeat(10_000);

const append = (store: EventStore, stream: string) =>
  store
    .append(stream, -1n, [{ id: crypto.randomUUID(), type: 'Noted', data: { padding }, metadata: someMetadata() }])
    .then(
      ({ kind }) => kind,
      (error: { reason?: string; message: string }) => error.reason ?? error.message,
    );

describe('appends of several stores in one process', () => {
  it('continue when the connection of another store breaks, whose own appends fail immediately', async () => {
    const way = await wayTo(servers.eventstoreUrl);
    const [cut, whole] = [openEventStore(way.url), openEventStore(servers.eventstoreUrl)];
    const run = crypto.randomUUID().replaceAll('-', '');
    const load = (store: EventStore, name: string) =>
      Promise.all(Array.from({ length: 200 }, (_, n) => append(store, `t${run}.identity.${name}-${n}`)));
    await Promise.all([append(cut, `t${run}.identity.first-1`), append(whole, `t${run}.identity.first-2`)]);
    const began = performance.now();
    const both = Promise.all([load(cut, 'cut'), load(whole, 'whole')]);
    setImmediate(way.cut);
    const [ofCut, ofWhole] = await both;
    expect(performance.now() - began).toBeLessThan(4500);
    expect(new Set(ofWhole)).toEqual(new Set(['appended']));
    expect(ofCut).toContain('unavailable');
    expect(ofCut.filter((outcome) => outcome !== 'unavailable' && outcome !== 'appended')).toEqual([]);
    await Promise.all([cut.close(), whole.close()]);
    await way.close();
  });
});
