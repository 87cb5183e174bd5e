import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { wireHeader } from '@scriptorium/contracts';
import type { ServedRequest } from '@scriptorium/messaging';
import { createPrincipalReader } from '@scriptorium/platform/signed-principal';
import { config, jsonAnswer, startRig, type Rig } from '../test/rig.js';

const session = `scr_ses_${'a'.repeat(20)}_${'b'.repeat(43)}`;
const principal = {
  kind: 'user',
  id: 'ann',
  token: { id: 'a'.repeat(20), kind: 'session', expiresAt: '2999-01-01T00:00:00.000Z' },
  operator: false,
};

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.stop());

/** The id of a request's caller. @throws for a principal that is not signed */
const callerIn = ({ headers }: ServedRequest) => createPrincipalReader(config.keys)(headers[wireHeader.principal])?.id;

describe('the principal of a request', () => {
  it('is signed', async () => {
    const token = rig.issue({ id: 'ann' });
    await rig.call('GET', '/v1/orgs/o/teams/t', { token });
    await rig.call('PUT', '/v1/orgs/o/teams', { token, body: { title: 'Docs' } });
    expect(rig.stub.calls.map((request) => [request.operation, callerIn(request)])).toEqual([
      ['getTeamInOrganizationById', 'ann'],
      ['createOrganizationTeam', 'ann'],
    ]);
  });

  it('is signed for the operations of a page, too', async () => {
    const requests: ServedRequest[] = [];
    rig.stub.on['authenticateSession'] = () => jsonAnswer({ principal });
    rig.stub.on['getSession'] = (request) => {
      requests.push(request);
      return jsonAnswer({ user: { displayName: 'Ann' }, organization: 'o' });
    };
    const headers = { cookie: `scriptorium_session=${session}` };
    await rig.call('GET', '/v1/auth/account', { token: null, headers });
    expect(requests.map(callerIn)).toEqual(['ann']);
  });

  it('cannot be set by a client', async () => {
    rig.stub.calls.length = 0;
    const headers = { principal: JSON.stringify({ ...principal, operator: true }) };
    await rig.call('GET', '/v1/orgs/o/teams/t', { token: rig.issue({ id: 'bob' }), headers });
    const [request] = rig.stub.calls;
    expect(request === undefined ? undefined : callerIn(request)).toBe('bob');
  });
});
