import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { listNotifications, listOf, operation, paging, wireHeader } from '@scriptorium/contracts';
import * as z from 'zod';
import { jsonAnswer, startRig, type Rig } from '../test/rig.js';

const access = { resource: 'user', view: ['self'], allow: ['self'] } as const;
const base = { service: 'identity', tag: 'Spec', summary: '', access } as const;
const query = z.object({ ...paging, kind: z.array(z.string()).optional(), title: z.string().optional() });
const deprecated = { since: '2026-01-01', sunset: '2027-01-01', successor: '/new' };
const list = { ...base, query, response: listOf(z.object({ id: z.string() })) };
const table = [
  operation({
    ...list,
    id: 'things',
    method: 'GET',
    path: '/shelves/{shelf}/things',
    params: z.object({ shelf: z.string() }),
  }),
  operation({ ...list, id: 'old', method: 'GET', path: '/old', deprecated }),
  operation({ ...list, id: 'found', method: 'POST', kind: 'read', path: '/found' }),
  listNotifications,
];

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ table });
});
afterAll(() => rig.stop());
afterEach(() => {
  rig.stub.on = {};
});

const page = { items: [], count: 9, next: { page: 'c2' } };
const answers = (id: string, headers: Record<string, string> = { [wireHeader.next]: 'c2' }) => {
  rig.stub.on[id] = () => jsonAnswer(page, { etag: 'a'.repeat(22), ...headers });
};
const linkAt = async (path: string, method = 'GET') => (await rig.call(method, path)).headers.get('link');

describe('the link of a list to its next page', () => {
  it.each([
    ['/v1/shelves/s/things', '/v1/shelves/s/things?page=c2'],
    ['/v1/shelves/s/things?limit=2&page=c1.0123456789abcdef', '/v1/shelves/s/things?limit=2&page=c2'],
    [
      '/v1/shelves/s/things?kind=a&kind=b,c&title=x+%26+y',
      '/v1/shelves/s/things?kind=a&kind=b%2Cc&title=x+%26+y&page=c2',
    ],
    [
      '/v1/shelves/gr%C3%BC%C3%9Fe%3E/things?title=%3E%22',
      '/v1/shelves/gr%C3%BC%C3%9Fe%3E/things?title=%3E%22&page=c2',
    ],
  ])('of %s is %s', async (path, next) => {
    answers('things');
    expect(await linkAt(path)).toBe(`<${next}>; rel="next"`);
  });

  it('is the same when the client has the answer already, and for HEAD', async () => {
    answers('things');
    const path = '/v1/shelves/s/things?limit=2';
    const { headers } = await rig.call('GET', path);
    const again = await rig.call('GET', path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, again.headers.get('link')]).toEqual([304, headers.get('link')]);
    expect(await linkAt(path, 'HEAD')).toBe(headers.get('link'));
  });

  it('stands beside other links', async () => {
    answers('old');
    expect(await linkAt('/v1/old')).toBe('</v1/new>; rel="successor-version", </v1/old?page=c2>; rel="next"');
  });

  it('names the cursor of a list that is read behind one', async () => {
    answers('listNotifications');
    expect(await linkAt('/v1/user/notifications?after=1')).toBe('</v1/user/notifications?after=c2>; rel="next"');
    expect(await linkAt('/v1/user/notifications?limit=1')).toBe('</v1/user/notifications?limit=1&page=c2>; rel="next"');
  });

  it('is absent on the last page, and where the request is a POST', async () => {
    answers('things', {});
    expect(await linkAt('/v1/shelves/s/things')).toBeNull();
    answers('found');
    expect(await linkAt('/v1/found', 'POST')).toBeNull();
  });
});
