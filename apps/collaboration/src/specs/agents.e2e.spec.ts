import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eventually, startRig, type Person, type Rig } from '../test/rig.js';

interface Said {
  refused: boolean;
  text: string;
}

describe('agents that speak the Model Context Protocol', () => {
  let rig: Rig;
  let author: Person;
  let reader: Person;
  let stranger: Person;
  let spaceId: string;
  let pageId: string;
  const clients: Client[] = [];
  beforeAll(async () => {
    rig = await startRig();
    author = await rig.member('Ann Author', 'edit');
    reader = await rig.member('Rea Der', 'read');
    stranger = await rig.person('Stran Ger');
    const made = await rig.send('POST', `/orgs/${rig.organization}/spaces`, {
      body: { title: 'Handbook', editMode: 'live' },
    });
    spaceId = String(made.body['id']);
    const page = { operation: 'insert_page', title: 'Install', document: { markdown: 'Use the _installer_ today.' } };
    const { body } = await rig.send('POST', `/spaces/${spaceId}/content`, { body: { changes: [page] } });
    pageId = String((body['changes'] as { page: { id: string } }[])[0]?.page.id);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await rig.stop();
  });

  const connect = async ({ token }: Person): Promise<Client> => {
    const client = new Client({ name: 'spec', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', rig.endpoint), { requestInit }));
    clients.push(client);
    return client;
  };
  const use = async (client: Client, name: string, input: Record<string, unknown> = {}): Promise<Said> => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [part] = content;
    return { refused: isError === true, text: part?.type === 'text' ? part.text : '' };
  };
  const read = async (client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> => {
    const { refused, text } = await use(client, name, input);
    expect([name, refused, text]).toEqual([name, false, text]);
    return text;
  };

  it('list what their callers can do', async () => {
    const client = await connect(author);
    const { tools } = await client.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['list_organizations', true],
      ['list_spaces', true],
      ['search', true],
      ['list_pages', true],
      ['read_page', true],
      ['list_change_requests', true],
      ['list_changes', true],
      ['list_comments', true],
      ['create_change_request', false],
      ['change_pages', false],
      ['post_comment', false],
    ]);
    for (const { description, inputSchema } of tools)
      expect([description, inputSchema.type]).toEqual([expect.any(String), 'object']);
  });

  it('find and read pages', async () => {
    const client = await connect(reader);
    expect(await read(client, 'list_organizations')).toContain(rig.organization);
    expect(await read(client, 'list_spaces', { organizationId: rig.organization, limit: 100 })).toContain('"Handbook"');
    expect(await read(client, 'list_pages', { spaceId })).toContain(`- Install (install) id=${pageId}`);
    await eventually(async () => (await read(client, 'search', { spaceId, query: 'installer' })).includes(pageId));
    expect(await read(client, 'search', { organizationId: rig.organization, query: 'installer' })).toContain(pageId);
    const page = await read(client, 'read_page', { spaceId, path: 'install' });
    expect(page).toMatch(/^title: Install\nid: \S+\nurl: \S+\n\n/);
    expect(page).toContain('Use the _installer_ today.');
    const url = /url: (\S+)/.exec(page)?.[1];
    expect(await read(client, 'read_page', { url })).toBe(page);
    expect(await read(client, 'read_page', { spaceId, pageId, offset: 15 })).toContain('_installer_ today.');
  });

  it('open change requests, change pages in them and comment', async () => {
    const client = await connect(author);
    const changes = [
      { operation: 'update_page', page: pageId, markdown: 'Use the package manager.' },
      { operation: 'insert_page', title: 'Update', markdown: 'Run it again.', into: pageId },
    ];
    const subject = 'Describe packages';
    const opened = JSON.parse(
      await read(client, 'create_change_request', { spaceId, subject, description: 'Shorter.', changes }),
    );
    expect(opened).toMatchObject({
      number: 1,
      status: 'open',
      changes: [{ object: 'updated_page' }, { object: 'created_page' }],
    });
    const there = { spaceId, changeRequestId: '1' };
    expect(await read(client, 'list_pages', there)).toMatch(/- Install .*\n {2}- Update \(install\/update\)/);
    expect(await read(client, 'read_page', { ...there, pageId })).toContain('Use the package manager.');
    expect(await read(client, 'read_page', { spaceId, pageId })).toContain('installer');
    const listed = await read(client, 'list_changes', there);
    for (const part of [
      '"page_created"',
      '"page_edited"',
      '\n-Use the _installer_ today.\n+Use the package manager.\n',
    ])
      expect(listed).toContain(part);
    await read(client, 'change_pages', {
      ...there,
      changes: [{ operation: 'update_page', page: pageId, title: 'Installing' }],
    });
    expect(await read(client, 'list_pages', there)).toContain('- Installing (');
    await read(client, 'post_comment', { ...there, pageId, markdown: 'Is that **right**?' });
    const [comment] = JSON.parse(await read(client, 'list_comments', there)).items;
    expect(comment).toMatchObject({ postedBy: 'Ann Author', markdown: 'Is that **right**?\n', page: pageId });
    const [open] = JSON.parse(await read(client, 'list_change_requests', { spaceId })).items;
    expect(open).toMatchObject({ number: 1, subject, createdBy: 'Ann Author', comments: 1, outdated: false });
  });

  it('are told why the API refuses, and what stays', async () => {
    const changes = [{ operation: 'delete_page', page: pageId }];
    const client = await connect(reader);
    expect(await use(client, 'create_change_request', { spaceId, subject: 'No', changes })).toEqual({
      refused: true,
      text: expect.stringMatching(/^forbidden: /),
    });
    expect((await use(await connect(stranger), 'list_pages', { spaceId })).text).toMatch(/^not_found: /);
    const writer = await connect(author);
    const unknown = [{ operation: 'delete_page', page: 'unknown' }];
    const { text } = await use(writer, 'create_change_request', { spaceId, subject: 'Wrong', changes: unknown });
    expect(text).toMatch(/^content_change_invalid: .*change request \d+ stays as a draft/);
    expect(text).toContain('\nchanges[0].page: There is no such page');
    expect((await use(writer, 'search', { query: 'x' })).text).toMatch(/^invalid_request: [^]*organizationId: /);
    expect((await use(writer, 'read_page', { spaceId })).text).toMatch(/^invalid_request: [^]*pageId: /);
    expect((await use(writer, 'list_pages', { spaceId: 'a b' })).refused).toBe(true);
    const empty = [{ operation: 'update_page', page: pageId }];
    const there = { spaceId, changeRequestId: /change request (\d+)/.exec(text)?.[1] };
    expect((await use(writer, 'change_pages', { ...there, changes: empty })).text).toContain('changes[0]: Needs title');
    const foreign = [{ operation: 'update_page', page: pageId, document: { markdown: 'x' } }];
    expect((await use(writer, 'change_pages', { ...there, changes: foreign })).refused).toBe(true);
    const changed = [{ operation: 'update_page', page: pageId, markdown: 'Changed.' }];
    await read(writer, 'change_pages', { ...there, changes: changed, open: true });
    expect(await read(writer, 'list_change_requests', { spaceId })).toContain('"Wrong"');
  });

  it('need a token', async () => {
    await expect(connect({ ...author, token: 'wrong' })).rejects.toThrow();
    const answer = await fetch(new URL('/mcp', rig.endpoint), { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});
