import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { operation } from '@scriptorium/contracts';
import * as z from 'zod';
import { jsonAnswer, startRig, type Rig } from '../test/rig.js';

const access = { resource: 'user', view: ['self'], allow: ['self'] } as const;
const base = { summary: '', tag: '', access, response: z.object({}) } as const;
const table = (['identity', 'content', 'sites'] as const).flatMap((service) => [
  operation({ ...base, service, id: `${service}Read`, method: 'GET', path: `/${service}` }),
  operation({ ...base, service, id: `${service}Write`, method: 'POST', path: `/${service}` }),
]);

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ table, services: ['identity', 'content', 'sites'] });
});
afterAll(() => rig.stop());
afterEach(() => {
  rig.stub.on = {};
  rig.stub.calls.length = 0;
});

describe('a caller who wrote to one service', () => {
  it('gets answers of other services that are not older, without doing anything', async () => {
    const token = rig.issue();
    rig.stub.on['identityWrite'] = () => jsonAnswer({}, { position: '50', types: 'MemberRoleChanged=50' });
    rig.stub.on['contentWrite'] = () => jsonAnswer({}, { position: '60', types: 'SpaceCreated=60' });
    await rig.call('POST', '/v1/identity', { token });
    await rig.call('POST', '/v1/content', { token });
    for (const [method, path] of [
      ['GET', '/v1/sites'],
      ['POST', '/v1/sites'],
      ['GET', '/v1/content'],
      ['GET', '/v1/identity'],
    ] as const)
      await rig.call(method, path, { token });
    expect(rig.stub.calls.map(({ operation: id, headers }) => [id, headers['after-types'], headers['after']])).toEqual([
      ['sitesRead', 'MemberRoleChanged=50,SpaceCreated=60', undefined],
      ['sitesWrite', 'MemberRoleChanged=50,SpaceCreated=60', undefined],
      ['contentRead', 'MemberRoleChanged=50', undefined],
      ['identityRead', 'SpaceCreated=60', undefined],
    ]);
  });

  it('can still send Scriptorium-After', async () => {
    const token = rig.issue();
    rig.stub.on['identityWrite'] = () => jsonAnswer({}, { position: '50', types: 'MemberRoleChanged=50' });
    const { headers } = await rig.call('POST', '/v1/identity', { token });
    expect(headers.get('scriptorium-position')).toBe('50');
    await rig.call('GET', '/v1/content', { token, headers: { 'scriptorium-after': '17' } });
    const { after, 'after-types': afterTypes } = rig.stub.calls.at(-1)?.headers ?? {};
    expect([after, afterTypes]).toEqual(['17', 'MemberRoleChanged=50']);
  });

  it('does not make other callers wait', async () => {
    rig.stub.on['identityWrite'] = () => jsonAnswer({}, { position: '50', types: 'MemberRoleChanged=50' });
    await rig.call('POST', '/v1/identity', { token: rig.issue() });
    await rig.call('GET', '/v1/content', { token: rig.issue() });
    expect(rig.stub.calls.at(-1)?.headers['after-types']).toBeUndefined();
  });
});
