import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eventually } from '@scriptorium/testing';
import { SignJWT } from 'jose';
import { startReaderRig, type ReaderRig } from '../test/reader-rig.js';

const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

describe('a published site, for agents', () => {
  let world: ReaderRig;
  let spaces: string[];
  const clients: Client[] = [];
  beforeAll(async () => {
    world = await startReaderRig();
    const [guide, terms] = [
      await world.space('Guide', [
        page('Home', 'Begin **here**.', { ref: 'home' }),
        page('Inner', 'See [the beginning](./home.md).', { into: 'home' }),
        { operation: 'insert_group', title: 'More', ref: 'more' },
        page('Within', 'Grouped.', { into: 'more' }),
        page('Unlisted', 'Nobody finds this umbrella.', { noIndex: true }),
      ]),
      await world.space('Reference', [page('Terms', 'An umbrella keeps rain away.')]),
    ];
    spaces = [guide.id, terms.id];
  }, 90_000);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await world.stop();
  });

  const publish = async (more: object = {}, mcp = true) => {
    const site = await world.publish({ title: 'Docs', spaces, ...more });
    const customization = (await world.make('GET', `${site.path}/customization`)).body;
    const pageActions = { ...(customization['pageActions'] as object), mcp };
    await world.make('PUT', `${site.path}/customization`, { ...customization, pageActions });
    return site;
  };
  const connect = async (address: string, headers: Record<string, string> = {}): Promise<Client> => {
    const client = new Client({ name: 'spec', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${address}~mcp`), { requestInit: { headers } }));
    clients.push(client);
    return client;
  };
  const use = async (client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> => {
    const [part] = (await client.callTool({ name, arguments: input })).content;
    return part?.type === 'text' ? part.text : '';
  };
  const statusOf = async (address: string, method = 'POST'): Promise<number> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    return (await fetch(`${address}~mcp`, { method, headers, ...(method === 'POST' ? { body } : {}) })).status;
  };

  it('is searched and read as a visitor does', async () => {
    const { address } = await publish();
    const client = await connect(address);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'list_pages', 'read_page']);
    const list = await use(client, 'list_pages');
    expect(list).toContain(`[Inner](${address}home/inner.md)`);
    expect(list).not.toContain('Unlisted');
    await eventually(async () => (await use(client, 'search', { query: 'umbrella' })).includes('Terms'));
    const [found, ...others] = JSON.parse(await use(client, 'search', { query: 'umbrella' })) as { address: string }[];
    expect([found, others]).toEqual([
      { title: 'Terms', address: `${address}reference/terms`, text: 'An umbrella keeps rain away.' },
      [],
    ]);
    expect(await use(client, 'read_page', { address: found?.address })).toContain('# Terms\n\nAn umbrella');
    const inner = await use(client, 'read_page', { address: `${address}home/inner.md` });
    expect(inner).toContain(`[the beginning](${address}home.md)`);
    expect(await use(client, 'read_page', { address: new URL(`${address}more`).pathname })).toContain('Grouped.');
    expect(await use(client, 'read_page', { address: `${address}home?a=b#part` })).toContain('Begin **here**.');
    expect(await use(client, 'read_page', { address: `${address}home`, offset: 8 })).toContain('Begin **here**.');
  });

  it('tells what is no page of it', async () => {
    const client = await connect((await publish()).address);
    for (const address of [
      'https://example.org/home',
      'https://example.org/~site/x/home',
      '/~site/other/home',
      '../home',
      'home',
    ])
      expect(await use(client, 'read_page', { address })).toMatch(/^not_found: /);
  });

  it('says in llms.txt where agents are answered, if it wants them', async () => {
    const { address, path } = await publish();
    const line = `> Agents can search and read these pages by the Model Context Protocol at ${address}~mcp\n`;
    expect((await world.open(`${address}llms.txt`)).text).toMatch(/^# Docs\n\n> Agents .*~mcp\n\n## Guide\n/);
    expect((await world.open(`${address}llms.txt`)).text).toContain(line);
    expect([await statusOf(address), await statusOf(address, 'GET')]).toEqual([200, 405]);
    for (const below of ['reference/', 'home/']) expect(await statusOf(`${address}${below}`)).toBe(404);
    const customization = (await world.make('GET', `${path}/customization`)).body;
    const pageActions = { ...(customization['pageActions'] as object), mcp: false };
    await world.make('PUT', `${path}/customization`, { ...customization, pageActions });
    await eventually(async () => (await statusOf(address)) === 404);
    expect((await world.open(`${address}llms.txt`)).text).toMatch(/^# Docs\n\n## Guide\n/);
  });

  it('is open to those who may visit it', async () => {
    const { address, path } = await publish({ visibility: 'visitor-auth' });
    expect(await statusOf(address)).toBe(401);
    await world.make('PATCH', `${path}/publishing/auth`, { fallbackURL: 'https://login.example/in' });
    expect(await statusOf(address)).toBe(401);
    await expect(connect(address, { authorization: 'Bearer a.b.c' })).rejects.toThrow();
    const { privateKey } = (await world.make('GET', `${path}/publishing/auth`)).body as { privateKey?: string };
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(privateKey));
    const client = await connect(address, { authorization: `Bearer ${token}` });
    expect(await use(client, 'list_pages')).toContain('Terms');
    expect(await use(client, 'read_page', { address: `${address}home` })).toContain('Begin **here**.');
  });
});
