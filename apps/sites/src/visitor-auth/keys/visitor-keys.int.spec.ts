import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filesWith } from '@scriptorium/testing';
import { eventually, startRig, type Rig } from '../../test/own-rig.js';
import { createPeople, type SiteRig } from '../../test/site-rig.js';

describe('the keys of visitors', () => {
  let world: SiteRig<Rig>;
  let isStopped = false;
  beforeAll(async () => {
    world = await createPeople(await startRig());
  }, 60_000);
  afterAll(() => (isStopped ? undefined : world.rig.stop()));

  it('are encrypted on disk, and are removed with the settings when the site is deleted', async () => {
    const site = await world.site({ title: 'Docs', visibility: 'visitor-auth' });
    const send = (method: string, path: string, body?: object) =>
      world.rig.send(method, path, {
        token: world.rig.owner.token,
        headers: { 'idempotency-key': randomUUID() },
        ...(body && { body }),
      });
    const keys: string[] = [];
    for (const [method, path] of [
      ['GET', 'publishing/auth'],
      ['POST', 'publishing/auth/regenerate'],
      ['POST', 'visitor-auth/rotate'],
    ] as const)
      keys.push(String((await send(method, `${site}/${path}`)).body['privateKey']));
    expect(new Set(keys).size).toBe(3);
    await send('PATCH', `${site}/publishing/auth`, { fallbackURL: 'https://login.unmistakable.example/in' });
    await eventually(async () => (await filesWith(world.rig.folder, ['unmistakable'])).length > 0);
    expect(await filesWith(world.rig.folder, keys)).toEqual([]);
    const { store, organization } = world.rig;
    const left = () => store.database.collection('op_secrets').countDocuments();
    expect(await left()).toBeGreaterThan(0);
    expect((await send('DELETE', site)).status).toBe(205);
    await eventually(async () => (await left()) === 0);
    expect((await send('GET', `/orgs/${organization}/sites`)).body['count']).toBe(0);
    await eventually(async () => {
      const { body } = await world.rig.send('GET', '/operator/sites/parked-events', { token: world.rig.owner.token });
      return body.items.length === 0;
    });
    const isStored = async () => {
      for (const { name } of await store.database.listCollections().toArray())
        for await (const doc of store.database.collection(name).find())
          if (JSON.stringify(doc).includes('unmistakable')) return true;
      return false;
    };
    await eventually(async () => !(await isStored()));
    await world.rig.scavenge();
    let found: string[] = [];
    isStopped = true;
    await world.rig.stop(async (folder) => void (found = await filesWith(folder, [...keys, 'unmistakable'])));
    expect(found).toEqual([]);
  }, 120_000);
});
