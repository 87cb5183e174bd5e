import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@scriptorium/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startEndpointRig, type EndpointRig } from '../test/endpoint-rig.js';
import { newName } from '../test/integration-rig.js';
import { officialScript } from '../test/official-script.js';

const icon = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const script = officialScript(`return runtime.createIntegration({
  fetch: async () => new Response('published'),
  events: { installation_setup: () => console.log('set up') },
});`);

interface Answered {
  status: number;
  text: string;
  json: Record<string, unknown>;
}

/**
 * The requests of the command line tool for integrations, @gitbook/cli 0.25.1, as its published source sends them. It
 * is not run here: its package loads a program for tunnels when it is installed.
 */
describe('the command line tool for integrations', () => {
  let world: EndpointRig;
  let developer: Server;
  let name: string;
  beforeAll(async () => {
    world = await startEndpointRig({ PUBLIC_URL: 'http://127.0.0.1:1' });
    name = newName();
    developer = createServer((request, response) => void request.resume().once('end', () => response.end('developer')));
    developer.listen(0, '127.0.0.1');
    await once(developer, 'listening');
  }, 90_000);
  afterAll(async () => {
    developer.close();
    await world.stop();
  });

  async function send(method: string, path: string, body?: object): Promise<Answered> {
    const response = await fetch(`${world.rig.endpoint}/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${world.rig.owner.token}`,
        'User-Agent': '@gitbook/cli/0.25.1',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      signal: null,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, json: text === '' ? {} : (JSON.parse(text) as Answered['json']) };
  }

  /** `gitbook publish`, with what a manifest may leave out. */
  const publish = (more: object = {}) =>
    send('POST', `/integrations/${name}`, {
      runtime: 'v2',
      title: 'Example',
      icon,
      description: '',
      summary: undefined,
      scopes: ['space:content:read', 'site:script:inject'],
      categories: ['analytics'],
      blocks: undefined,
      contentSources: undefined,
      configurations: { account: { properties: { key: { type: 'string', title: 'Key' } } } },
      secrets: { CLIENT_SECRET: 'hidden' },
      visibility: 'private',
      target: 'all',
      organization: world.rig.organization,
      externalLinks: [{ label: 'Manual', url: 'https://example.org/manual' }],
      previewImages: [icon],
      contentSecurityPolicy: { 'script-src': "'self'" },
      script,
      ...more,
    });
  const nameOf = (event: unknown) => String((event as { id: string }).id);

  it('says who somebody is', async () => {
    expect(await send('GET', '/user')).toMatchObject({ status: 200, json: { displayName: expect.any(String) } });
  });

  it('publishes, and what is the same is no new version', async () => {
    const { status, json } = await publish();
    expect([status, json['name']]).toEqual([200, name]);
    expect(json['urls']).toMatchObject({ app: expect.stringContaining(`/integrations/${name}`) });
    expect((await publish()).json['version']).toBe(json['version']);
    expect((await publish({ title: 'Another' })).json['version']).toBe(Number(json['version']) + 1);
    expect((await publish({ organization: 'nobody' })).status).toBe(404);
  });

  it('follows the events with what the script has written', async () => {
    await world.install(name);
    await eventually(async () => {
      const { items } = (await send('GET', `/integrations/${name}/events?limit=2`)).json as { items: unknown[] };
      const all = await Promise.all(items.map((one) => send('GET', `/integrations/${name}/events/${nameOf(one)}`)));
      return all.some(({ json }) => JSON.stringify(json['trace'] ?? null).includes('set up'));
    }, 40_000);
  });

  it('begins and ends the development mode', async () => {
    const { urls } = (await send('GET', `/integrations/${name}`)).json as { urls: Record<string, string> };
    const shown = async () => (await world.ask(urls['publicEndpoint'] ?? '')).body;
    const { port } = developer.address() as AddressInfo;
    const dev = `/integrations/${name}/dev`;
    expect(await shown()).toBe('published');
    // The tool opens a public tunnel, which has https; where the API is local, a port of the machine will do.
    expect(await send('PUT', dev, { tunnelUrl: `http://127.0.0.1:${port}`, all: false })).toMatchObject({
      status: 204,
      text: '',
    });
    expect(await shown()).toBe('developer');
    expect((await send('DELETE', dev)).status).toBe(205);
    expect(await shown()).toBe('published');
  });

  it('unpublishes', async () => {
    expect(await send('DELETE', `/integrations/${name}`)).toMatchObject({ status: 205, text: '' });
    expect((await send('GET', `/integrations/${name}`)).status).toBe(404);
  });
});
