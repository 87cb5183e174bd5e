import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestProvider } from '../test/identity-provider.js';
import { eventually, startRig, type Rig } from '../test/rig-with-store.js';
import { patchOf, type scimClient, startProvisioning } from '../test/scim-client.js';
import { user } from '../accounts/index.js';
import { provisioning } from './provisioning.js';

describe('names and times by SCIM', () => {
  let rig: Rig;
  let idp: TestProvider;
  let org: string;
  let scim: ReturnType<typeof scimClient>;

  beforeAll(async () => {
    rig = await startRig();
    org = `/orgs/${rig.organization}`;
    ({ idp, scim } = await startProvisioning(rig));
  }, 60_000);
  afterAll(async () => {
    await idp.stop();
    await rig.stop();
  });

  const userOf = (userName: string, address = userName, more: object = {}) => {
    return { userName, emails: [{ value: rig.email(address) }], ...more };
  };
  const create = async (body: object, kind = 'Users'): Promise<string> => {
    const { status, body: made } = await scim('POST', `/${kind}`, body);
    expect(status).toBe(201);
    return made.id;
  };
  const modified = async (path: string) => {
    const { created, lastModified } = (await scim('GET', path)).body['meta'] as Record<string, string>;
    return { created: Date.parse(created ?? ''), lastModified: Date.parse(lastModified ?? '') };
  };
  const patch = (path: string, ...operations: object[]) => scim('PATCH', path, patchOf(...operations));

  it('give one of several requests for a userName the name, and the others a refusal', async () => {
    for (const addresses of [
      ['ca', 'cb', 'cc'],
      ['cd', 'cd', 'cd'],
    ]) {
      const userName = `Concurrent ${addresses.join()}`;
      const replies = await Promise.all(
        addresses.map((address, i) =>
          scim('POST', '/Users', userOf(i === 0 ? userName : userName.toUpperCase(), address)),
        ),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect(replies.map(({ body }) => body['scimType']).filter((type) => type !== undefined)).toEqual([
        'uniqueness',
        'uniqueness',
      ]);
      const filter = encodeURIComponent(`userName eq "${userName}"`);
      expect((await scim('GET', `/Users?filter=${filter}`)).body.Resources).toMatchObject([{ active: true }]);
    }
  });

  it('are free again when they are changed, or their user is deleted', async () => {
    const first = await create(userOf('first'));
    const second = await create(userOf('second'));
    const taken = await patch(`/Users/${second}`, { op: 'replace', path: 'userName', value: 'FIRST' });
    expect([taken.status, taken.body['scimType'], taken.body['detail']]).toEqual([
      409,
      'uniqueness',
      'userName: another user has the name FIRST',
    ]);
    expect((await patch(`/Users/${first}`, { op: 'replace', path: 'userName', value: 'moved' })).status).toBe(200);
    expect((await patch(`/Users/${second}`, { op: 'replace', path: 'userName', value: 'first' })).status).toBe(200);
    expect((await scim('POST', '/Users', userOf('moved', 'third'))).status).toBe(409);
    await scim('DELETE', `/Users/${first}`);
    await create(userOf('moved', 'third'));
    const both = await Promise.all([
      patch(`/Users/${second}`, { op: 'replace', path: 'userName', value: 'wanted' }),
      scim('POST', '/Users', userOf('wanted')),
    ]);
    expect(both.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(1);
  });

  it('change the time of a user with what is shown of them', async () => {
    const id = await create(userOf('timed', 'timed', { displayName: 'Timed' }));
    const path = `/Users/${id}`;
    const times = [await modified(path)];
    for (const active of [false, true]) {
      await patch(path, { op: 'replace', value: { active } });
      times.push(await modified(path));
    }
    for (const disabled of [true, false]) {
      await rig.send('PATCH', `${org}/members/${id}`, { body: { disabled } });
      times.push(await modified(path));
    }
    await patch(path, { op: 'replace', path: 'displayName', value: 'Later' });
    times.push(await modified(path));
    const last = times.map(({ lastModified }) => lastModified);
    expect(last).toEqual([...new Set(last)].sort((a, b) => a - b));
    expect(new Set(times.map(({ created }) => created)).size).toBe(1);
    await patch(path, { op: 'replace', path: 'displayName', value: 'Later' });
    expect(await modified(path)).toEqual(times.at(-1));
  });

  it('change the time of a group with its members and names', async () => {
    const value = await create(userOf('grouped'));
    const path = `/Groups/${await create({ displayName: 'Timed', externalId: 'timed' }, 'Groups')}`;
    const times = [(await modified(path)).lastModified];
    for (const operation of [
      { op: 'add', path: 'members', value: [{ value }] },
      { op: 'replace', path: 'externalId', value: 'timed 2' },
      { op: 'replace', path: 'displayName', value: 'Timed 2' },
      { op: 'remove', path: `members[value eq "${value}"]` },
    ]) {
      await patch(path, operation);
      times.push((await modified(path)).lastModified);
    }
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  it('of a group are free when anybody deletes the team', async () => {
    const body = { displayName: 'Deleted', externalId: 'deleted' };
    const id = await create(body, 'Groups');
    await rig.send('DELETE', `${org}/teams/${id}`);
    const again = await create(body, 'Groups');
    expect(again).not.toBe(id);
    await rig.send('DELETE', `${org}/teams/${again}`);
    await eventually(async () => {
      const { externalIds } = await rig.store.load(provisioning, rig.organization);
      return !JSON.stringify(externalIds).includes('"deleted"');
    });
  });

  it('of older events are not shown after they are changed', async () => {
    const id = await create(userOf('older'));
    const names = { organization: rig.organization, userName: 'older', externalId: null, created: true };
    const parts = { displayName: 'Old Name', givenName: null, familyName: null };
    await rig.store
      .scope({ actor: { kind: 'system', id: 'spec' }, organization: null, operation: 'spec', correlation: 'spec' })
      .handle(user, id, () => [{ type: 'UserProvisioned' as const, data: { ...names, ...parts } }]);
    const shown = async () => (await scim('GET', `/Users/${id}`)).body;
    await eventually(async () => (await shown())['displayName'] === 'Old Name');
    expect((await shown())['name']).toEqual({ formatted: 'Old Name' });
    const changed = await patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'New Name' });
    expect(changed.body).toMatchObject({ displayName: 'New Name', name: { formatted: 'New Name' } });
    expect((await rig.send('GET', `${org}/members/${id}`)).body).toMatchObject({ user: { displayName: 'New Name' } });
    const gone = await patch(`/Users/${id}`, { op: 'remove', path: 'displayName' });
    expect([gone.body['displayName'], gone.body['name']]).toEqual([undefined, undefined]);
  });
});
