import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, get } from '@scriptorium/testing';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { startEndpointRig, type EndpointRig, type Installed } from '../test/endpoint-rig.js';
import { newName, refusal } from '../test/integration-rig.js';
import type { Person } from '../test/rig.js';

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  event: { type: string; eventId: string; installationId?: string; request?: { url: string } };
  signingSecrets: Record<string, string>;
  body: string | undefined;
}

let world: EndpointRig;
let admin: Person;
let server: Server;
let tunnelUrl: string;
let got: Got[] = [];
let status = 200;

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}

async function startTunnel(): Promise<void> {
  server = createServer((request, response) => {
    void buffer(request).then(async (bytes) => {
      const type = request.headers['content-type'] ?? '';
      const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
      const { signingSecrets } = JSON.parse(textIn(form, 'environment')) as Pick<Got, 'signingSecrets'>;
      const event = JSON.parse(textIn(form, 'event')) as Got['event'];
      const body = form.get('fetch-body');
      const sent = body === null || typeof body === 'string' ? undefined : await body.text();
      const { url: path = '', headers } = request;
      got.push({ path, headers, text: bytes.toString('utf8'), event, signingSecrets, body: sent });
      response.writeHead(status, { 'x-dev': 'yes' }).end(`developer got ${event.type}`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  tunnelUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  world = await startEndpointRig({ PUBLIC_URL: 'http://127.0.0.1:1' });
  admin = await world.rig.member('Ad Min', 'admin');
}, 90_000);
beforeEach(async () => {
  [got, status] = [[], 200];
  await startTunnel();
});
afterEach(() => void server.close());
afterAll(() => world.stop());

const source = `return runtime.createIntegration({
  fetch: async () => new Response('script', { status: 201 }),
  events: { installation_setup: () => undefined },
});`;
/** Answers that may be given again. */
const keeping = `return runtime.createIntegration({
  fetch: async () => new Response('script', { headers: { 'cache-control': 'max-age=60' } }),
  components: [runtime.createComponent({
    componentId: 'card',
    render: async (element) => {
      element.setCache({ maxAge: 60 });
      return { type: 'block', children: [{ type: 'text', children: [String(Math.random())] }] };
    },
  })],
});`;
const configurations = { account: { properties: { key: { type: 'string' } } } };

/** What the library of Standard Webhooks says. It reads a body that it has verified as JSON, which a form is not. */
function verified(secret: string, text: string, headers: Record<string, string>): string {
  try {
    new Webhook(secret).verify(text, headers);
    return 'verified';
  } catch (error) {
    const { name, message } = error as Error;
    return name === 'SyntaxError' ? 'verified' : message;
  }
}

const dev = ({ name }: Pick<Installed, 'name'>) => `/integrations/${name}/dev`;
const typesOf = (one: Installed) =>
  got.filter(({ event }) => event.installationId === one.id).map(({ event }) => event.type);

describe('the development mode of an integration', () => {
  it('sends what the script would get to its developer, signed with the narrowest secret', async () => {
    const one = await world.begin(source, { configurations });
    expect((await world.send('PUT', dev(one), { tunnelUrl }, admin)).status).toBe(204);
    await world.done('PATCH', one.path, { configuration: { key: 'a' } });
    const answer = await world.ask(`${one.endpoint}/hook`, { method: 'POST', body: 'sent' });
    expect([answer.status, answer.body, answer.headers['x-dev']]).toEqual([200, 'developer got fetch', 'yes']);
    expect((await world.ask(one.content)).body).toBe('developer got fetch');
    await eventually(() => Promise.resolve(typesOf(one).includes('installation_setup')), 20_000);
    const fetched = got.find(({ event }) => event.type === 'fetch' && event.installationId === one.id);
    expect([fetched?.path, fetched?.body, fetched?.event.request?.url]).toEqual([
      '/v1',
      'sent',
      `${one.endpoint}/hook`,
    ]);
    for (const { event, headers, text, signingSecrets } of got) {
      expect(headers['webhook-id']).toBe(event.eventId);
      const secret = signingSecrets[event.installationId === undefined ? 'integration' : 'installation'] ?? '';
      const signed = headers as Record<string, string>;
      expect(verified(secret, text, signed)).toBe('verified');
      expect(verified(secret, `${text} `, signed)).toBe('No matching signature found');
    }
    // Everything is recorded meanwhile.
    const { items } = await world.done('GET', `/integrations/${one.name}/events?status=success`);
    expect(items.map(({ payload }) => (payload as { type: string }).type)).toEqual(
      expect.arrayContaining(['fetch', 'installation_setup']),
    );
  });

  it('ends when somebody ends it, and the script is called again', async () => {
    const one = await world.begin(source);
    expect((await world.send('DELETE', dev(one))).status).toBe(204);
    await world.done('PUT', dev(one), { tunnelUrl });
    expect((await world.ask(one.endpoint)).status).toBe(200);
    expect((await world.send('DELETE', dev(one))).status).toBe(205);
    expect((await world.send('DELETE', dev(one))).status).toBe(204);
    expect((await world.ask(one.endpoint)).body).toBe('script');
  });

  it('sends nothing twice, and ends after 20 calls without an answer', async () => {
    const one = await world.begin(source, { configurations });
    await world.done('PUT', dev(one), { tunnelUrl });
    status = 500;
    await world.done('PATCH', one.path, { configuration: { key: 'a' } });
    const eventsIn = async (state: string) =>
      (await world.done('GET', `/integrations/${one.name}/events?status=${state}`)).items;
    const events = async () => {
      const items = await eventsIn('failed');
      return items.filter(({ payload }) => (payload as { type: string }).type === 'installation_setup');
    };
    await eventually(async () => (await events()).length > 0, 20_000);
    // What is delivered later than the server ends is one of the calls without an answer.
    await eventually(async () => (await eventsIn('queued')).length === 0, 20_000);
    expect((await events())[0]).toMatchObject({ attempts: 1, reason: 'status_500' });
    server.close();
    server.closeAllConnections();
    let answer = await world.ask(one.endpoint);
    let unanswered = 0;
    for (; answer.status === 502 && unanswered < 100; unanswered += 1) {
      expect(answer.body).toContain('the address of its developer');
      answer = await world.ask(one.endpoint);
    }
    expect(answer.body).toBe('script');
    // An event that was not even planned before counts, too.
    expect(unanswered).toBeLessThanOrEqual(20);
    expect(unanswered).toBeGreaterThan(15);
    expect((await world.send('DELETE', dev(one))).status).toBe(204);
    expect((await world.done('GET', one.path))['status']).toBe('active');
  });

  it('is for installations of the owner, and for all where an operator says so', async () => {
    const one = await world.begin(source, { visibility: 'public' });
    const organization = String((await world.done('POST', '/orgs', { title: 'Other' }))['id']);
    const { urls } = await world.done('POST', `/integrations/${one.name}/installations`, { organization });
    const { publicEndpoint: foreign = '' } = urls as Record<string, string>;
    await world.done('PUT', dev(one), { tunnelUrl });
    expect((await world.ask(one.endpoint)).status).toBe(200);
    expect((await world.ask(foreign)).body).toBe('script');
    expect(refusal(await world.send('PUT', dev(one), { tunnelUrl, all: true }, admin))).toEqual([
      403,
      'forbidden',
      'body.all',
    ]);
    expect((await world.ask(foreign)).body).toBe('script');
    await world.done('PUT', dev(one), { tunnelUrl, all: true });
    expect((await world.ask(foreign)).body).toBe('developer got fetch');
    // Of a private one everything is the owner's.
    const own = await world.begin(source);
    expect((await world.send('PUT', dev(own), { tunnelUrl, all: true }, admin)).status).toBe(204);
  });

  it('says whether there is one, and until when', async () => {
    const one = await world.begin(source);
    const shown = async () => (await world.send('GET', dev(one), undefined, admin)).body;
    expect(await shown()).toEqual({ enabled: false });
    const before = Date.now();
    await world.done('PUT', dev(one), { tunnelUrl, all: true });
    const { until, ...mode } = await shown();
    expect(mode).toEqual({ enabled: true, all: true });
    expect(Math.round((Date.parse(String(until)) - before) / 3_600_000)).toBe(24);
    expect((await world.send('GET', dev(one), undefined, world.creator)).status).toBe(403);
    await world.done('DELETE', dev(one));
    expect(await shown()).toEqual({ enabled: false });
  });

  it('has the address of one of those who begin or end it at once', async () => {
    const one = await world.begin(source);
    const { database } = world.rig.store;
    const integration = (await database.collection('integration_v1').findOne({ name: one.name }))?._id;
    const stored = () => database.collection('op_dev_mode').countDocuments({ integration });
    for (let round = 0; round < 5; round += 1) {
      const begin = (n: number) => world.send('PUT', dev(one), { tunnelUrl: `${tunnelUrl}/${n}` });
      const begun = await Promise.all([begin(1), begin(2), world.send('DELETE', dev(one)), begin(3), begin(4)]);
      const said = begun.map(({ status: code }) => code);
      for (const code of said) expect([204, 205, 409]).toContain(code);
      expect(said).toContain(204);
      const { enabled } = (await world.send('GET', dev(one))).body;
      expect((await world.ask(one.endpoint)).body).toBe(enabled === true ? 'developer got fetch' : 'script');
      expect(await stored()).toBe(enabled === true ? 1 : 0);
    }
  });

  it('sends what is for no installation only where all of it is the owner’s', async () => {
    const one = await world.begin(source, { visibility: 'public' });
    await world.done('PUT', dev(one), { tunnelUrl });
    const asSuch = one.content.replace(/content$/, 'integration');
    const bodies = async () => [(await world.ask(asSuch)).body, (await world.ask(one.content)).body];
    expect(await bodies()).toEqual(['script', 'script']);
    await world.done('PUT', dev(one), { tunnelUrl, all: true });
    expect(await bodies()).toEqual(['developer got fetch', 'developer got fetch']);
  });

  it('shows what the developer answers, and not what was kept of the script', async () => {
    const one = await world.begin(keeping);
    const space = await world.space('Rendered');
    await world.done('POST', `${one.path}/spaces`, { space });
    const context = { type: 'document', theme: 'light', spaceId: space, editable: false };
    const render = () =>
      world.send('POST', `/integrations/${one.name}/render`, { componentId: 'card', props: {}, context });
    const shown = async () => [(await world.ask(one.content)).body, get((await render()).body, 'element.children.0')];
    const before = await shown();
    expect(before[0]).toBe('script');
    expect(await shown()).toEqual(before);
    await world.done('PUT', dev(one), { tunnelUrl });
    expect((await world.ask(one.content)).body).toBe('developer got fetch');
    // What the developer answers here is no component.
    expect((await render()).status).toBe(502);
    await world.done('DELETE', dev(one));
    expect(await shown()).toEqual(before);
  });

  it.each([
    'http://example.org',
    'http://localhost:8787',
    'http://127.0.0.1',
    'https://127.0.0.1:8787',
    'https://10.0.0.1',
    'https://[::1]:1',
    'https://2130706433',
    'https://169.254.169.254/latest',
    'https://user:word@example.org',
    'ftp://example.org',
    'x',
  ])('is refused for the address %s', async (address) => {
    const name = await world.publish({}, newName());
    const [code, reason, field] = refusal(await world.send('PUT', dev({ name }), { tunnelUrl: address }));
    expect([code, reason, field]).toEqual([400, 'invalid_request', 'body.tunnelUrl']);
  });

  it('shows and stores its address nowhere in the clear', async () => {
    const one = await world.begin(source);
    await world.done('PUT', dev(one), { tunnelUrl });
    const stored = await world.rig.store.database.collection('op_dev_mode').find().toArray();
    expect(stored.length).toBeGreaterThan(0);
    const { items } = await world.done('GET', `${world.org}/audit-events?limit=5`);
    expect(JSON.stringify(items)).toContain(one.name);
    for (const text of [JSON.stringify(stored), JSON.stringify(items)]) expect(text).not.toContain(tunnelUrl);
  });
});
