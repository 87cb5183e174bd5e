import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStore, systemClock, type Store } from '@scriptorium/event-sourcing';
import { newId, parseKeyring, type Scope } from '@scriptorium/platform';
import { close } from '../organizations/roster/memberships.js';
import { roster } from '../organizations/roster/roster.js';
import { changeSettings } from '../organizations/settings/change-settings.process.js';
import { deleteOrganization } from '../organizations/deletion/delete-organization.process.js';
import { createOrganizationWithHostname } from '../organizations/settings/create-organization.process.js';
import { hostnames } from '../organizations/settings/hostnames.reservation.js';
import { organization } from '../organizations/settings/organization.js';
import { eventually, startRig, type Rig } from '../test/rig-with-store.js';
import { addresses } from '../accounts/users/addresses.reservation.js';
import { registerUser, verifyAddress } from '../accounts/users/register-user.process.js';
import { user } from '../accounts/users/user.js';
import { specCommand, specScope } from '../test/scope.js';

/** More events than any of these operations records. */
const most = 8;
/** An open claim is settled after 30 s. With this clock the processes stopped longer ago. */
const clock = { ...systemClock, now: () => Date.now() - 31_000 };
const settledWithin = 60_000;

/** One operation on one value. */
interface Case {
  holds: () => Promise<boolean>;
  /** Requests the value for another owner, and returns the status: 200 or 201 when it was free. */
  ask: () => Promise<number>;
}

describe('a unique value', () => {
  let rig: Rig;
  const opened: Store[] = [];
  beforeAll(async () => {
    rig = await startRig();
  }, 60_000);
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.stop()));
    await rig.stop();
  });

  /** The scope of a process that stops after it has recorded this many events. */
  const stoppingAfter = (events: number, organization: string | null = null): Scope => {
    // Opening a store needs an id as well, which must not count.
    let left = Number.POSITIVE_INFINITY;
    const uuid = (): string => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return randomUUID();
    };
    const { NAMESPACE: namespace, EVENTSTORE_URL: eventstoreUrl, MONGODB_URL: mongoUrl } = rig.config;
    const reservations = { key: parseKeyring(rig.config.SECRET_KEYS).reservation, kinds: [addresses, hostnames] };
    const store = createStore({
      service: 'identity',
      namespace,
      eventstoreUrl,
      mongoUrl,
      reservations,
      ids: { uuid },
      clock,
    });
    opened.push(store);
    left = events;
    return specScope(store.scope(specCommand('spec', organization)), store, rig.config.SECRET_KEYS);
  };
  const workingScope = (organization: string | null = null) => stoppingAfter(Number.POSITIVE_INFINITY, organization);

  const owns = async (id: string, hostname: string) => {
    const state = await rig.store.load(organization, id);
    return state.status === 'active' && state.hostname === hostname;
  };
  const isAt = async (id: string, email: string) => {
    const state = await rig.store.load(user, id);
    return state.status === 'active' && state.emailVerified && state.email === email;
  };
  const askForName = (hostname: string) => async () => {
    const other = String(
      (await rig.send('POST', '/orgs', { body: { title: `Heir of ${hostname}`.slice(0, 30) } })).body['id'],
    );
    return (await rig.send('PATCH', `/orgs/${other}`, { body: { hostname } })).status;
  };
  const askForAddress = (email: string) => async () =>
    (await rig.send('POST', '/users', { body: { email, displayName: 'Heir', emailVerified: true } })).status;
  const founded = async (id: string, title: string) =>
    createOrganizationWithHostname(workingScope(id), { id, title, emailDomains: [], creator: rig.owner.id });
  const nameCase = (id: string, value: string): Case => ({ holds: () => owns(id, value), ask: askForName(value) });
  const mailCase = (id: string, value: string): Case => ({ holds: () => isAt(id, value), ask: askForAddress(value) });
  const profile = { displayName: 'Doomed', kind: 'person', operator: false } as const;

  /** Each operation runs in a process that stops after `k` events. */
  const operations: Record<string, (k: number) => Promise<Case[]>> = {
    async founding(k) {
      const id = newId();
      await createOrganizationWithHostname(stoppingAfter(k, id), {
        id,
        title: `Found ${k}`,
        emailDomains: [],
        creator: rig.owner.id,
      }).catch(() => undefined);
      return [nameCase(id, `found-${k}`)];
    },
    async moving(k) {
      const id = newId();
      await founded(id, `Before ${k}`);
      await changeSettings(stoppingAfter(k, id), id, { hostname: `after-${k}` }, rig.owner.id).catch(() => undefined);
      return [nameCase(id, `before-${k}`), nameCase(id, `after-${k}`)];
    },
    async deleting(k) {
      const id = newId();
      await founded(id, `Deleted ${k}`);
      const stopping = stoppingAfter(k, id);
      const begin = async () => stopping.store.handle(roster, id, (state) => close(state, { by: rig.owner.id }));
      await begin()
        .then(() => deleteOrganization(stopping, id))
        .catch(() => undefined);
      return [nameCase(id, `deleted-${k}`)];
    },
    async registering(k) {
      const [id, email] = [newId(), `registers${k}@example.org`];
      await registerUser(stoppingAfter(k), id, { ...profile, email, emailVerified: true }).catch(() => undefined);
      return [mailCase(id, email)];
    },
    async verifying(k) {
      const [id, email] = [newId(), `verifies${k}@example.org`];
      await registerUser(workingScope(), id, { ...profile, email, emailVerified: false });
      await verifyAddress(stoppingAfter(k), id, email).catch(() => undefined);
      return [mailCase(id, email)];
    },
    async leaving(k) {
      const [id, email] = [newId(), `leaves${k}@example.org`];
      await registerUser(workingScope(), id, { ...profile, email, emailVerified: true });
      const stopping = stoppingAfter(k);
      await stopping.store
        .giveUp(addresses, { value: email, owner: id }, () => stopping.store.erase(user, id))
        .catch(() => undefined);
      return [mailCase(id, email)];
    },
  };

  it('is either held by an owner or free, after whichever event a process stops', async () => {
    const cases: (Case & { name: string })[] = [];
    for (const [name, run] of Object.entries(operations)) {
      for (let k = 0; k <= most; k += 1) cases.push(...(await run(k)).map((one) => ({ ...one, name: `${name} ${k}` })));
    }
    const last = workingScope();
    await registerUser(last, newId(), { ...profile, email: 'last@example.org', emailVerified: false });
    expect(await rig.store.waitForPosition(last.store.recorded()?.position ?? -1n, settledWithin)).toBe('reached');
    const open = rig.store.database.collection('reservation_open_v2');
    await eventually(async () => (await open.countDocuments({ _gone: { $exists: false } })) === 0, settledWithin);
    let held = 0;
    for (const { name, holds, ask } of cases) {
      const isHeld = await holds();
      held += isHeld ? 1 : 0;
      expect([name, (await ask()) < 300]).toEqual([name, !isHeld]);
    }
    expect([held > 10, held < cases.length - 10]).toEqual([true, true]);
  }, 180_000);
});
