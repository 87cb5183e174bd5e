import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { refuse, startRig, type CallOptions, type Rig } from './test/rig.js';

let rig: Rig;
beforeAll(async () => {
  const rates = { ordinary: 100, search: 1, 'content-write': 1, 'spec-write': 1, pdf: 1, anonymous: 1, files: 1 };
  rig = await startRig({ config: { rates } });
});
afterAll(() => rig.stop());
afterEach(() => void (rig.stub.on = {}));

const messageOf = async (method: string, path: string, options: CallOptions = {}) => {
  const { status, json } = await rig.call(method, path, options);
  return [status, json.error.message];
};

describe('a refusal says', () => {
  it.each([
    ['getTeamInOrganizationById', '/v1/orgs/o/teams/t', 'There is no such team here, or you may not see it'],
    ['listTeamsInOrganizationById', '/v1/orgs/o/teams', 'There is no such organization here, or you may not see it'],
    ['getPageByPath', '/v1/spaces/s/content/path/a/b', 'There is no such page here, or you may not see it'],
  ])('which kind of thing is not there: %s', async (id, path, message) => {
    rig.stub.on[id] = refuse('not_found');
    expect(await messageOf('GET', path)).toEqual([404, message]);
    rig.stub.on[id] = refuse('not_found', [], { message: 'The service knows better' });
    expect(await messageOf('GET', path)).toEqual([404, 'The service knows better']);
  });

  it('which scope or kind of token is missing', async () => {
    const limited = rig.issue({ scopes: ['user:read'] });
    expect(await messageOf('POST', '/v1/orgs/o/spaces', { token: limited })).toEqual([
      403,
      'The token must have the scope `space:write`',
    ]);
    expect(await messageOf('GET', '/v1/auth/session', { token: rig.issue() })).toEqual([
      403,
      expect.stringMatching(/^A token of the kind personal cannot be used for this; it takes session$/),
    ]);
  });

  it('where a body stops to be JSON', async () => {
    const call = { body: '{\n  "title": "A",\n}' };
    expect(await messageOf('POST', '/v1/orgs/o/spaces', call)).toEqual([
      400,
      'body: Must be JSON: line 3, column 1 cannot be read',
    ]);
  });

  it('which rate is exceeded, its setting, and how one request does the work of many', async () => {
    const token = rig.issue();
    const change = { token, body: { changes: [{ operation: 'insert_group', title: 'A' }] } };
    expect((await rig.call('POST', '/v1/spaces/s/content', change)).status).toBe(200);
    expect(await messageOf('POST', '/v1/spaces/s/content', change)).toEqual([
      429,
      'At most 1 changes of the content of a space by a token are possible in a minute (setting RATE_LIMIT_CONTENT_WRITE); `changes` takes 50 changes in one request',
    ]);
    await rig.call('GET', '/v1/', { token: null });
    expect(await messageOf('GET', '/v1/', { token: null })).toEqual([
      429,
      'At most 1 requests of an address without a token are possible in a minute (setting RATE_LIMIT_ANONYMOUS)',
    ]);
  });
});
