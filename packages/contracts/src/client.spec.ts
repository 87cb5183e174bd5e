import { describe, expect, it } from '@jest/globals';
import { createClient } from './client.js';

interface Sent {
  url: string;
  init: RequestInit;
}

function clientAnswering(status: number, body?: object) {
  const sent: Sent[] = [];
  const answer = (url: unknown, init: RequestInit = {}) => {
    sent.push({ url: String(url), init });
    return Promise.resolve(new Response(body === undefined ? null : JSON.stringify(body), { status }));
  };
  return { sent, client: createClient({ endpoint: 'https://docs.example', token: 'scr', fetch: answer }) };
}

describe('the client', () => {
  it('sends parameters, query and body where they belong', async () => {
    const { client, sent } = clientAnswering(200, { items: [], count: 0 });
    await client.listTeamsInOrganizationById({ params: { organizationId: 'a/b' }, query: { limit: 2, title: 'x y' } });
    expect(sent[0]?.url).toBe('https://docs.example/v1/orgs/a%2Fb/teams?limit=2&title=x+y');
    await client.createOrganization({ body: { title: 'Acme' } });
    expect(sent[1]?.init).toMatchObject({ method: 'POST', body: '{"title":"Acme"}', headers: { authorization: 'Bearer scr' } });
  });

  it('tells deleted from absent', async () => {
    const call = { params: { organizationId: 'o', teamId: 't' } };
    expect(await clientAnswering(205).client.removeTeamFromOrganizationById(call)).toBe(true);
    expect(await clientAnswering(204).client.removeTeamFromOrganizationById(call)).toBe(false);
  });

  it('throws what the server answered', async () => {
    const error = { code: 409, reason: 'last_admin', message: 'No', details: [{ path: 'a', message: 'b' }] };
    const call = { params: { organizationId: 'o', userId: 'u' } };
    await expect(clientAnswering(409, { error }).client.removeMemberFromOrganizationById(call)).rejects.toMatchObject({
      reason: 'last_admin', message: 'No', details: error.details,
    });
    await expect(clientAnswering(502).client.getAuthenticatedUser()).rejects.toMatchObject({ reason: 'unexpected' });
  });
});
