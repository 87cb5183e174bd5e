import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { operation } from '@scriptorium/contracts';
import * as z from 'zod';
import { startRig, type Rig } from '../test/rig.js';

const access = { resource: 'user', view: ['self'], allow: ['self'] } as const;
const base = { service: 'identity', method: 'GET', summary: 'x', tag: 'x', access, response: z.object({}) } as const;
const table = [
  operation({ ...base, id: 'ordinary', path: '/ordinary' }),
  operation({ ...base, id: 'search', path: '/search', rate: 'search' }),
  operation({
    ...base,
    id: 'write',
    path: '/spaces/{spaceId}/content',
    params: z.object({ spaceId: z.string() }),
    rate: 'content-write',
  }),
  operation({
    ...base,
    id: 'specify',
    path: '/orgs/{organizationId}/openapi/{specSlug}',
    params: z.object({ organizationId: z.string(), specSlug: z.string() }),
    rate: 'spec-write',
  }),
  operation({ ...base, id: 'print', path: '/print', rate: 'pdf' }),
  operation({
    ...base,
    id: 'old',
    path: '/old',
    deprecated: { since: '2026-01-01', sunset: '2027-01-01', successor: '/ordinary' },
  }),
];

describe('the rate of requests', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({
      table,
      config: {
        rates: { ordinary: 5, search: 2, 'content-write': 2, 'spec-write': 1, pdf: 3, anonymous: 4, files: 0 },
        trustProxy: 1,
      },
    });
  });
  afterAll(() => rig.stop());

  const states = async (n: number, path: string, options: Parameters<Rig['call']>[2]) => {
    const all = [];
    for (let i = 0; i < n; i += 1) all.push((await rig.call('GET', `/v1${path}`, options)).status);
    return all;
  };

  it('is limited by token and class', async () => {
    const [one, two] = [rig.issue(), rig.issue()];
    expect(await states(6, '/ordinary', { token: one })).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await states(3, '/search', { token: one })).toEqual([200, 200, 429]);
    expect(await states(4, '/print', { token: one })).toEqual([200, 200, 200, 429]);
    expect(await states(1, '/ordinary', { token: two })).toEqual([200]);
  });

  it('is that of each space for changes of content, which count as ordinary requests, too', async () => {
    const [one, two] = [rig.issue(), rig.issue()];
    expect(await states(3, '/spaces/a/content', { token: one })).toEqual([200, 200, 429]);
    expect(await states(1, '/spaces/a/content', { token: two })).toEqual([200]);
    expect(await states(2, '/spaces/b/content', { token: one })).toEqual([200, 200]);
    expect(await states(1, '/ordinary', { token: one })).toEqual([429]);
  });

  it('is that of each specification for new sources, in upper and lower case together', async () => {
    const token = rig.issue();
    expect(await states(2, '/orgs/o/openapi/shop', { token })).toEqual([200, 429]);
    const refused = await rig.call('GET', '/v1/orgs/o/openapi/SHOP', { token });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await states(1, '/orgs/p/openapi/shop', { token })).toEqual([200]);
  });

  it('is in the headers of every answer, and a refusal has Retry-After', async () => {
    const token = rig.issue();
    const first = await rig.call('GET', '/v1/search', { token });
    expect([first.headers.get('x-ratelimit-limit'), first.headers.get('x-ratelimit-remaining')]).toEqual(['2', '1']);
    await rig.call('GET', '/v1/search', { token });
    const refused = await rig.call('GET', '/v1/search', { token });
    expect([refused.status, refused.json.error.reason, refused.headers.get('x-ratelimit-remaining')]).toEqual([
      429,
      'rate_limited',
      '0',
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(refused.headers.get('x-ratelimit-reset')) * 1000).toBeGreaterThan(Date.now());
  });

  it('is that of the address without a valid token', async () => {
    const from = (address: string, token: string | null) => ({ token, headers: { 'x-forwarded-for': address } });
    expect(await states(3, '/ordinary', from('10.1.1.1', null))).toEqual([401, 401, 401]);
    expect(await states(2, '/ordinary', from('10.1.1.1', 'made-up'))).toEqual([401, 429]);
    expect(await states(1, '/ordinary', from('10.1.1.2', null))).toEqual([401]);
    expect(await states(1, '/ordinary', from('10.1.1.1', rig.issue()))).toEqual([200]);
  });

  it('does not replace the headers of a deprecated operation', async () => {
    const { headers } = await rig.call('GET', '/v1/old', { token: rig.issue() });
    expect([headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([
      '@1767225600',
      'Fri, 01 Jan 2027 00:00:00 GMT',
      '</v1/ordinary>; rel="successor-version"',
    ]);
  });
});
