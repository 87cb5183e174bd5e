import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createOutboundWorld, type OutboundWorld, somePublic } from '../test/outbound.js';
import { parseNetworks } from './addresses.js';
import type { OutboundRequest } from './outbound-request.js';

let world: OutboundWorld;
beforeEach(() => void (world = createOutboundWorld()));
afterEach(() => world.close());

const get = (url: string): OutboundRequest => ({ url, field: 'body.url', maxBytes: 1_024 });
const redirectTo =
  (location: () => string, status = 302): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { location: location() }).end();
const say: RequestListener = (_, response) => void response.end('end');
const notAllowed = { reason: 'bad_gateway', message: 'The other side redirects to an address that is not allowed' };
const refused = { reason: 'invalid_request', details: [{ path: 'body.url' }] };
const privates = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1', '0.0.0.0'];

describe('a name whose addresses change', () => {
  it('is asked once for each request, so that a later answer decides nothing', async () => {
    world.names.set('public.example', [[somePublic], ['127.0.0.1']]);
    const url = await world.serve(say);
    await expect(world.open().fetch(get(url))).resolves.toMatchObject({ status: 200 });
    expect([world.resolved, world.connected]).toEqual([['public.example'], [somePublic]]);
    await expect(world.open().fetch(get(url))).rejects.toMatchObject(refused);
    expect(world.connected).toEqual([somePublic]);
  });

  it.each(privates)(
    'is refused when it comes to have %s, beside a public one or alone, and again later',
    async (address) => {
      const url = await world.serve(say);
      for (const answer of [[address], [somePublic, address], [address, somePublic]]) {
        world.names.set('public.example', [answer]);
        await expect(world.open().fetch(get(url))).rejects.toMatchObject(refused);
        await expect(world.open().download(get(url), () => Promise.resolve())).rejects.toMatchObject(refused);
      }
      expect(world.connected).toEqual([]);
    },
  );

  it.each(privates)('cannot bring a redirect to %s, on any hop', async (address) => {
    const last = await world.serve(say, 'last.example');
    const second = await world.serve(
      redirectTo(() => last),
      'second.example',
    );
    const first = await world.serve(
      redirectTo(() => second),
      'first.example',
    );
    await expect(world.open().fetch(get(first))).resolves.toMatchObject({ url: `${last}/` });
    const before = world.connected.length;
    world.names.set('last.example', [[address]]);
    await expect(world.open().fetch(get(first))).rejects.toMatchObject(notAllowed);
    world.names.set('second.example', [[somePublic, address]]);
    await expect(world.open().fetch(get(first))).rejects.toMatchObject(notAllowed);
    expect(world.connected.slice(before)).toEqual([somePublic, somePublic, somePublic]);
  });

  it('is checked anew when a redirect comes back to it', async () => {
    world.names.set('first.example', [[somePublic], ['127.0.0.1']]);
    const hop = { first: '' };
    const second = await world.serve(
      redirectTo(() => `${hop.first}/again`),
      'second.example',
    );
    hop.first = await world.serve(
      redirectTo(() => second),
      'first.example',
    );
    await expect(world.open().fetch(get(hop.first))).rejects.toMatchObject(notAllowed);
    expect(world.resolved).toEqual(['first.example', 'second.example', 'first.example']);
    expect(world.connected).toEqual([somePublic, somePublic]);
  });

  it('has the same rules for every status that redirects', async () => {
    world.names.set('inside.example', [['10.0.0.1']]);
    for (const status of [301, 302, 303, 307, 308]) {
      const url = await world.serve(redirectTo(() => 'http://inside.example/', status));
      await expect(world.open().fetch(get(url))).rejects.toMatchObject(notAllowed);
    }
    expect(new Set(world.connected)).toEqual(new Set([somePublic]));
  });

  it('may lead into a network that the installation allows, and no further', async () => {
    const inside = await world.serve(say, 'inside.example');
    const url = await world.serve(redirectTo(() => inside));
    const outbound = world.open({ allowed: parseNetworks('127.0.0.1') });
    world.names.set('inside.example', [['127.0.0.1'], ['127.0.0.2']]);
    await expect(outbound.fetch(get(url))).resolves.toMatchObject({ url: `${inside}/` });
    await expect(outbound.fetch(get(url))).rejects.toMatchObject(notAllowed);
  });

  it('is a name of this machine in any spelling, whatever a server answers', async () => {
    for (const name of [
      'localhost',
      'LOCALHOST',
      'localhost.',
      'a.localhost',
      '0x7f000001',
      '017700000001',
      '2130706433',
    ])
      await expect(world.open().fetch(get(`http://${name}/`))).rejects.toMatchObject(refused);
    expect([world.resolved, world.connected]).toEqual([[], []]);
  });
});
