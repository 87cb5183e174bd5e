import { describe, expect, it } from '@jest/globals';
import { createClient } from './client.js';
import { followOperation } from './follow.js';
import { listOrganizationChanges } from '../services.js';

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
  it('sends parameters, query and body', async () => {
    const { client, sent } = clientAnswering(200, { items: [], count: 0 });
    await client.listTeamsInOrganizationById({ params: { organizationId: 'a/b' }, query: { limit: 2, title: 'x y' } });
    expect(sent[0]?.url).toBe('https://docs.example/v1/orgs/a%2Fb/teams?limit=2&title=x+y');
    await client.createOrganization({ body: { title: 'Acme' } });
    expect(sent[1]?.init).toMatchObject({
      method: 'POST',
      body: '{"title":"Acme"}',
      headers: { authorization: 'Bearer scr', prefer: 'handling=strict' },
    });
  });

  it('returns whether there was something to delete', async () => {
    const call = { params: { organizationId: 'o', teamId: 't' } };
    expect(await clientAnswering(205).client.removeTeamFromOrganizationById(call)).toBe(true);
    expect(await clientAnswering(204).client.removeTeamFromOrganizationById(call)).toBe(false);
  });

  it('throws the error that the server answered', async () => {
    const error = { code: 409, reason: 'last_admin', message: 'No', details: [{ path: 'a', message: 'b' }] };
    const call = { params: { organizationId: 'o', userId: 'u' } };
    await expect(clientAnswering(409, { error }).client.removeMemberFromOrganizationById(call)).rejects.toMatchObject({
      reason: 'last_admin',
      message: 'No',
      details: error.details,
    });
    await expect(clientAnswering(502).client.getAuthenticatedUser()).rejects.toMatchObject({ reason: 'unexpected' });
  });
});

describe('a client of an address at which another server answers', () => {
  const asked = (body: string | null, init: ResponseInit) => {
    const send = () => Promise.resolve(new Response(body, init));
    return createClient({ endpoint: 'https://docs.example', fetch: send }).getAuthenticatedUser();
  };

  it.each([
    ['a page', '<html>Sign in</html>', { status: 200 }, '200'],
    ['nothing', null, { status: 204 }, '204'],
    ['an error of a proxy', '<html>', { status: 502, statusText: 'Bad Gateway' }, '502 Bad Gateway'],
    [
      'another address',
      null,
      { status: 302, headers: { location: 'https://login.example/' } },
      '302 to https://login.example/',
    ],
  ])('is told so, when that answers %s', async (_, body, init, said) => {
    const message = `https://docs.example answered ${said}, not as an installation of Scriptorium`;
    await expect(asked(body, init)).rejects.toMatchObject({ reason: 'unexpected', message });
  });
});

describe('a client that is refused for a while', () => {
  it('knows when to try again', async () => {
    const answer = new Response('{"error":{"reason":"unavailable"}}', { status: 503, headers: { 'retry-after': '7' } });
    const client = createClient({ endpoint: 'https://docs.example', fetch: () => Promise.resolve(answer) });
    await expect(client.getAuthenticatedUser()).rejects.toMatchObject({ reason: 'unavailable', retryAfter: 7 });
  });
});

describe('following a list', () => {
  const call = { params: { organizationId: 'o' } };
  const streaming = (...bodies: (string | number)[]) => {
    const sent: Record<string, string>[] = [];
    const answer = (_url: unknown, init: RequestInit = {}) => {
      sent.push(init.headers as Record<string, string>);
      const body = bodies.shift();
      if (typeof body === 'number')
        return Promise.resolve(new Response(JSON.stringify({ error: { reason: 'not_found' } }), { status: body }));
      return Promise.resolve(new Response(body));
    };
    const items = followOperation(
      { endpoint: 'https://docs.example', token: 'scr', fetch: answer },
      listOrganizationChanges,
      call,
      AbortSignal.timeout(10_000),
    );
    return { sent, items };
  };

  it('reconnects behind the last message until the end of the list', async () => {
    const { sent, items } = streaming(
      'retry: 1000\n\nid: 1\ndata: {"cursor":"1"}\n\n:\n\nid: 5\n\nid: 6\nda',
      'id: 6\ndata: {"cursor":"6"}\n\nevent: end\ndata: {}\n\n',
    );
    const told = [];
    for await (const { cursor } of items) told.push(cursor);
    expect(told).toEqual(['1', '6']);
    expect(sent.map((headers) => [headers['accept'], headers['last-event-id']])).toEqual([
      ['text/event-stream', undefined],
      ['text/event-stream', '5'],
    ]);
  });

  it('throws the error of the server, at the start or later', async () => {
    await expect(streaming(404).items.next()).rejects.toMatchObject({ reason: 'not_found' });
    const later = streaming('event: end\ndata: {"error":{"reason":"unauthenticated","message":"Invalid token"}}\n\n');
    await expect(later.items.next()).rejects.toMatchObject({ reason: 'unauthenticated', message: 'Invalid token' });
  });
});
