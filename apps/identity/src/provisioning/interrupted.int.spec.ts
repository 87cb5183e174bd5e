import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, type Principal } from '@scriptorium/contracts';
import { createStore, type Store } from '@scriptorium/event-sourcing';
import { newId, parseKeyring, type Call, type Scope } from '@scriptorium/platform';
import { addresses, user, userNameOf, userNames } from '../accounts/index.js';
import type { TestProvider } from '../test/identity-provider.js';
import { eventually, startRig, type Rig } from '../test/rig-with-store.js';
import { type scimClient, startProvisioning } from '../test/scim-client.js';
import { specCommand, specScope } from '../test/scope.js';
import { provisioning } from './provisioning.js';
import { createProvisionedGroup } from './groups/provision-group.process.js';
import { createProvisionedUser } from './users/provision-user.process.js';
import { readGroup, readUser } from './protocol/wishes.js';

/** Nothing here comes near a limit. */
const quotas: Scope['quotas'] = { within: (_claim, work) => work() };
/** More events than either request records. */
const most = 6;

describe('a request by SCIM whose process stops', () => {
  let rig: Rig;
  let idp: TestProvider;
  let scim: ReturnType<typeof scimClient>;
  const opened: Store[] = [];

  beforeAll(async () => {
    rig = await startRig();
    ({ idp, scim } = await startProvisioning(rig));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.stop()));
    await idp.stop();
    await rig.stop();
  });

  /** A store of another process, with the reservations of the product. */
  const open = (uuid: () => string = randomUUID): Store => {
    const { NAMESPACE: namespace, EVENTSTORE_URL: eventstoreUrl, MONGODB_URL: mongoUrl, SECRET_KEYS } = rig.config;
    const reservations = { key: parseKeyring(SECRET_KEYS).reservation, kinds: [addresses, userNames] };
    const store = createStore({ service: 'identity', namespace, eventstoreUrl, mongoUrl, reservations, ids: { uuid } });
    opened.push(store);
    return store;
  };
  /** Works in a process that stops after it has recorded this many events, until the read models show them. */
  const stopAfter = async (events: number, work: (call: Call<Principal | null>) => Promise<unknown>): Promise<void> => {
    let left = Number.POSITIVE_INFINITY;
    const uuid = (): string => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return randomUUID();
    };
    const store = open(uuid);
    left = events;
    const scope = store.scope(specCommand('spec', rig.organization));
    const call = specScope(scope, store, rig.config.SECRET_KEYS, { quotas });
    await work(call as Call<Principal | null>).catch(() => undefined);
    // A request is answered when the read models show what it recorded, which is after all that was recorded before.
    const name = newId();
    const { id: value } = (await scim('POST', '/Users', { userName: `${name}@after.example` })).body;
    const after = { displayName: name, externalId: name, members: [{ value }] };
    expect((await scim('POST', '/Groups', after)).status).toBe(201);
  };
  const found = async (kind: string, filter: string) =>
    (await scim('GET', `/${kind}?filter=${encodeURIComponent(filter)}`)).body.Resources;

  it('leaves no half of a user: the repeated request makes them a member, and their name is not taken for ever', async () => {
    const statuses = new Set<number>();
    for (let k = 0; k <= most; k += 1) {
      const email = rig.email(`interrupted${k}`);
      const body = { userName: email, displayName: `Interrupted ${k}`, externalId: `i${k}` };
      await stopAfter(k, (call) =>
        createProvisionedUser(call, rig.organization, readUser({ fields: body, wrong: new Map() })),
      );
      const { status } = await scim('POST', '/Users', body);
      statuses.add(status);
      const users = await found('Users', `userName eq "${email}"`);
      expect(users).toEqual([expect.objectContaining({ active: true, externalId: `i${k}` })]);
      expect((await scim('POST', '/Users', body)).status).toBe(409);
      expect((await scim('DELETE', `/Users/${users[0]?.id}`)).status).toBe(204);
      expect((await scim('POST', '/Users', body)).status).toBe(201);
    }
    // What was recorded as a whole is there already.
    expect([...statuses].sort()).toEqual([201, 409]);
  }, 60_000);

  it('leaves one team for a group, with its members and the id of the provider', async () => {
    const statuses = new Set<number>();
    const { id: value } = (await scim('POST', '/Users', { userName: rig.email('teamed') })).body;
    for (let k = 0; k <= most; k += 1) {
      const body = { displayName: `Interrupted ${k}`, externalId: `g${k}`, members: [{ value }] };
      await stopAfter(k, (call) =>
        createProvisionedGroup(call, rig.organization, readGroup({ fields: body, wrong: new Map() })),
      );
      statuses.add((await scim('POST', '/Groups', body)).status);
      expect((await scim('POST', '/Groups', body)).body['scimType']).toBe('uniqueness');
      const groups = await found('Groups', `displayName eq "Interrupted ${k}"`);
      expect(groups).toEqual([
        expect.objectContaining({ externalId: `g${k}`, members: [expect.objectContaining({ value })] }),
      ]);
    }
    expect([...statuses].sort()).toEqual([201, 409]);
  }, 60_000);

  it('does not keep the id of the provider from a group when its team was never made and is not begun any more', async () => {
    const named = { team: newId(), externalId: 'never made' };
    await open()
      .scope(specCommand('spec', rig.organization))
      .handle(provisioning, rig.organization, () => [{ type: 'TeamExternalIdChanged' as const, data: named }]);
    const body = { displayName: 'Never made', externalId: named.externalId };
    expect((await scim('POST', '/Groups', body)).status).toBe(201);
    expect((await scim('POST', '/Groups', body)).status).toBe(409);
  });

  it('does not matter to names that were not reserved before: they are with the next change', async () => {
    const { id } = (await scim('POST', '/Users', { userName: rig.email('unreserved') })).body;
    const names = { organization: rig.organization, userName: rig.email('of-older'), externalId: null, created: true };
    const parts = { displayName: 'Older', givenName: null, familyName: null };
    const personal = open().scope(specCommand('spec', null));
    await personal.handle(user, id, () => [{ type: 'UserProvisioned' as const, data: { ...names, ...parts } }]);
    const reserve = (owner: string) =>
      personal.reserve(userNames, { value: userNameOf(names), owner }, () => Promise.reject(new AppError('forbidden')));
    await expect(reserve('another')).rejects.toMatchObject({ reason: 'forbidden' });
    await eventually(async () => (await scim('GET', `/Users/${id}`)).body['userName'] === names.userName);
    const renamed = await scim('PUT', `/Users/${id}`, { userName: names.userName, displayName: 'Newer', active: true });
    expect(renamed.status).toBe(200);
    await expect(reserve('another')).rejects.toMatchObject({ reason: 'already_exists' });
  });
});
