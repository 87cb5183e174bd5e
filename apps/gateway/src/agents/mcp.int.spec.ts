import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jsonAnswer, startRig, type Rig } from '../test/rig.js';

const accept = 'application/json, text/event-stream';
const listTools = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('the endpoint of agents', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig();
  });
  afterAll(() => rig.stop());
  const post = (body: unknown, headers: Record<string, string> = {}, token: string | null = rig.issue()) =>
    rig.call('POST', '/mcp', { token, body, headers: { accept, 'content-type': 'application/json', ...headers } });

  it('refuses whoever brings no token, and says how to bring one', async () => {
    for (const token of [null, 'wrong']) {
      const { status, headers, json } = await post(listTools, {}, token);
      expect([status, headers.get('www-authenticate'), json.error.reason]).toEqual([401, 'Bearer', 'unauthenticated']);
    }
  });

  it('refuses what is not the protocol', async () => {
    expect((await post('{')).status).toBe(400);
    expect((await post(listTools, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(listTools, { accept: 'text/plain' })).status).toBe(406);
    expect((await post(listTools, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await post(listTools, { origin: 'http://docs.test' })).status).toBe(200);
    expect((await post([listTools])).status).toBe(400);
    for (const method of ['GET', 'DELETE', 'PUT'])
      expect((await rig.call(method, '/mcp', { token: rig.issue(), headers: { accept } })).status).toBe(405);
    const { status, json } = await post('x'.repeat(2 * 1024 * 1024 + 1));
    expect([status, json.error.reason]).toEqual([413, 'too_large']);
  });

  it('answers clients of the protocol with the handshake', async () => {
    const clientInfo = { name: 'spec', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const { status, text } = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    expect([status, text]).toEqual([200, expect.stringContaining('"protocolVersion":"2025-06-18"')]);
    expect((await post(listTools)).text).toContain('"name":"read_page"');
  });

  it('opens no stream, as nothing is announced', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { _meta, notifications: { toolsListChanged: true } };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' };
    const { text } = await post({ jsonrpc: '2.0', id: 2, method: 'subscriptions/listen', params }, headers);
    expect(text).toContain('Subscription limit reached');
  });

  it('calls the API as its caller, within the request', async () => {
    const asked: unknown[] = [];
    rig.stub.on['listOrganizationsForAuthenticatedUser'] = ({ headers }) => {
      asked.push(headers);
      return jsonAnswer({ items: [{ id: 'o', title: 'Docs' }], count: 1 });
    };
    const params = { name: 'list_organizations', arguments: {} };
    const { text } = await post({ jsonrpc: '2.0', id: 3, method: 'tools/call', params }, { 'x-request-id': 'agent-1' });
    expect(text).toContain(String.raw`{\"items\":[{\"id\":\"o\",\"title\":\"Docs\"}]}`);
    expect(asked).toEqual([expect.objectContaining({ 'request-id': 'agent-1' })]);
  });
});
