import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { get, startRig, type Rig } from '../test/rig.js';

describe('the operations for operators', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
  }, 60_000);
  afterAll(() => rig.stop());

  it('show how far projections and reactors are', async () => {
    const { status, body } = await rig.send('GET', '/operator/identity/consumers?limit=100');
    expect(status).toBe(200);
    const team = body.items.find((item) => item['name'] === 'team_v3');
    expect(team).toMatchObject({ kind: 'projection', state: 'live' });
    expect(body.items.some((item) => item['kind'] === 'reactor')).toBe(true);
  });

  it('show no parked events and no timers when there are none', async () => {
    expect((await rig.send('GET', '/operator/identity/parked-events')).body).toEqual({ items: [], count: 0 });
    expect((await rig.send('GET', '/operator/identity/timers')).body).toEqual({ items: [], count: 0 });
    expect((await rig.send('POST', '/operator/identity/parked-events/nothing/retry')).status).toBe(404);
  });

  it('rebuild a read model with the same contents', async () => {
    await rig.send('PUT', `/orgs/${rig.organization}/teams`, { body: { title: 'Rebuilt' } });
    const { status, body } = await rig.send('POST', '/operator/identity/projections/team_v3/rebuild');
    expect([status, body['equal'], get(body, 'live.documents')]).toEqual([200, true, 1]);
    expect((await rig.send('POST', '/operator/identity/projections/unknown_v1/rebuild')).status).toBe(404);
  });
});
