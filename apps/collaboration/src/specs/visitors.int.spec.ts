import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer, type TokenIssuer } from '@scriptorium/testing/token-issuer';
import { startRig, type Rig } from '../test/rig.js';

describe('a content token', () => {
  let rig: Rig;
  let issuer: TokenIssuer;
  let space: string;
  const requests: string[] = [];
  beforeAll(async () => {
    rig = await startRig();
    issuer = await startIssuer(rig);
    space = String((await rig.send('POST', `/orgs/${rig.organization}/spaces`, { body: {} })).body['id']);
    for (const subject of ['First', 'Second'])
      requests.push(
        String((await rig.send('POST', `/spaces/${space}/change-requests`, { body: { subject } })).body['id']),
      );
  }, 60_000);
  afterAll(async () => {
    await issuer.close();
    await rig.stop();
  });

  const status = async (path: string, token: string, method = 'GET') =>
    (await rig.send(method, `/spaces/${space}/change-requests${path}`, { token })).status;

  it('opens the change request alone that it previews, without telling of people', async () => {
    const [first = '', second = ''] = requests;
    const preview = await issuer.visit([space], {}, { changeRequest: first });
    const shown = await rig.send('GET', `/spaces/${space}/change-requests/${first}`, { token: preview });
    expect([shown.status, shown.body['subject']]).toEqual([200, 'First']);
    expect(shown.body['createdBy']).toEqual({ object: 'user', id: rig.owner.id });
    expect(await status('/1', preview)).toBe(200);
    expect(await status(`/${first}/content/pages`, preview)).toBe(200);
    expect(await status('/1/content/pages', preview)).toBe(200);
    expect(await status(`/${second}`, preview)).toBe(404);
    expect(await status(`/${second}/content/pages`, preview)).toBe(404);
    const plain = await issuer.visit([space]);
    expect(await status(`/${first}`, plain)).toBe(404);
    const elsewhere = await issuer.visit(['another'], {}, { changeRequest: first });
    expect(await status(`/${first}`, elsewhere)).toBe(404);
  });

  it('opens nothing else of change requests, and no comments', async () => {
    const [first = ''] = requests;
    const preview = await issuer.visit([space], {}, { changeRequest: first });
    for (const path of ['', `/${first}/comments`, `/${first}/reviews`, `/${first}/contributors`])
      expect([path, await status(path, preview)]).toEqual([path, 403]);
    expect(await status(`/${first}/merge`, preview, 'POST')).toBe(403);
  });
});
