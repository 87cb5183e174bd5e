import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStore, systemClock, type CommandContext, type Store } from '@scriptorium/event-sourcing';
import { parseKeyring, type ServiceContext } from '@scriptorium/platform';
import { identity } from '../definition.js';
import { pendingInvites } from '../invites/pending-invite.projection.js';
import { members } from '../members/member.projection.js';
import { hostnames } from '../organizations/hostnames.reservation.js';
import { findPassword } from '../passwords/passwords.operational.js';
import { eventually, startRig, type Person, type Rig } from '../test/rig.js';
import { tokens } from '../tokens/token.projection.js';
import { addresses } from '../users/addresses.reservation.js';
import { user as person } from '../users/user.js';
import { erasePerson } from './erase-person.process.js';
import { erasure } from './erasure.js';
import { forgetErased } from './forget-erased.process.js';

const password = 'velvet-otter-lamp-91';
/** A claim that was left open is settled after 30 s. These processes died longer ago. */
const clock = { ...systemClock, now: () => Date.now() - 31_000 };
const settledWithin = 60_000;

describe('an erasure whose process dies', () => {
  let rig: Rig;
  let live: Store;
  let inviter: Person;
  let link: { organization: string; id: string };
  beforeAll(async () => {
    rig = await startRig();
    const { NAMESPACE: namespace, EVENTSTORE_URL: eventstoreUrl, MONGODB_URL: mongoUrl } = rig.config;
    const reservations = { key: keys().reservation, kinds: [addresses(context(() => live)), hostnames(context(() => live))] };
    live = createStore({ service: 'identity', namespace, eventstoreUrl, mongoUrl, projections: identity.projections, reservations, clock });
    await live.start();
    inviter = await rig.person('Inviting Admin');
    const organization = String((await rig.send('POST', '/orgs', { token: inviter.token, body: { title: 'Inviting' } })).body['id']);
    const made = await rig.send('POST', `/orgs/${organization}/link-invites`, { token: inviter.token, body: { role: 'read' } });
    link = { organization, id: String(made.body['id']) };
  }, 60_000);
  afterAll(async () => {
    await live.stop();
    await rig.stop();
  });

  const keys = () => parseKeyring(rig.config.SECRET_KEYS);
  const context = (store: () => Store, forget = () => Promise.resolve()): ServiceContext =>
    ({
      get store() {
        return store();
      },
      keys: keys(), now: Date.now, mail: { outbox: `${rig.config.DATA_DIR}/outbox` }, answers: { forget },
    }) as unknown as ServiceContext;

  /** Of what changes anything, `steps` are done; then the process is dead. */
  const doomed = (steps: number): ServiceContext => {
    let left = steps;
    const step = <A extends unknown[], R>(work: (...args: A) => R) => (...args: A): R => {
      left -= 1;
      if (left < 0) throw new Error('killed');
      return work(...args);
    };
    const { database } = live;
    const mortal = new Proxy(database, { get: (db, name) => (name === 'collection' ? step((of: string) => db.collection(of)) : (Reflect.get(db, name) as unknown)) });
    const schedule = step(() => Promise.resolve());
    const handle = step((...command: Parameters<Store['handle']>) => live.handle(...command));
    const erase = step((...of: Parameters<Store['erase']>) => live.erase(...of));
    const store = { ...live, handle, erase, database: mortal, timers: { ...live.timers, schedule } } as Store;
    return context(() => store, step(() => Promise.resolve()));
  };

  /** Somebody with everything. Whose address is not verified is waited for by an invitation. */
  const someone = async (number: number, emailVerified: boolean): Promise<{ id: string; email: string }> => {
    const email = `doomed.${number}.${String(emailVerified)}@example.org`;
    const made = await rig.send('POST', '/users', { body: { email, emailVerified, displayName: `Doomed ${number}`, password } });
    const id = String(made.body['id']);
    const token = String((await rig.send('POST', `/users/${id}/tokens`, { body: { label: 'doomed' } })).body['token']);
    expect((await rig.send('POST', `/orgs/${link.organization}/invites/${link.id}`, { token })).status).toBe(200);
    await rig.send('PUT', `/orgs/${link.organization}/teams`, { token: inviter.token, body: { title: `Doomed ${number}`, members: [id] } });
    await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [email], role: 'read' } });
    return { id, email };
  };

  const erase = async (with_: ServiceContext, user: string): Promise<void> => {
    const command: CommandContext = { actor: { kind: 'user', id: user }, organization: null, operation: 'spec', correlation: 'spec' };
    const position = await erasePerson(with_, user, command);
    await forgetErased(with_, { user, position }, command);
  };

  const isNoMore = async ({ id, email }: { id: string; email: string }): Promise<boolean> => {
    const { store } = rig;
    if ((await store.load(erasure, id)).status !== 'erased' || (await store.load(person, id)).status !== 'absent') return false;
    const left = await Promise.all([
      store.collection(members).count({ user: id }), store.collection(tokens).count({ user: id }), store.collection(pendingInvites).count({ email }),
    ]);
    return left.every((count) => count === 0) && (await findPassword(store, id)) === null && (await rig.send('GET', `/users/${id}`)).status === 404;
  };

  it('refuses whom an organization needs that the read model does not show yet', async () => {
    const founder = await rig.person('Shown Late');
    const beside = await rig.person('Shown Beside');
    const made = await rig.send('POST', '/orgs', { token: founder.token, body: { title: 'Shown' } });
    const path = `/orgs/${String(made.body['id'])}`;
    await rig.send('POST', `${path}/invites`, { token: founder.token, body: { emails: [beside.email], role: 'read' } });
    let isShown = false;
    const nothing = { find: () => ({ toArray: () => Promise.resolve([]) }) };
    const late = {
      ...live,
      visible: (...wanted: Parameters<Store['visible']>) => {
        isShown = true;
        return live.visible(...wanted);
      },
      collection: (of: Parameters<Store['collection']>[0]) => (Object.is(of, members) && !isShown ? nothing : live.collection(of)),
    } as unknown as Store;
    const command: CommandContext = { actor: { kind: 'user', id: founder.id }, organization: null, operation: 'spec', correlation: 'spec' };
    await expect(erasePerson(context(() => late), founder.id, command)).rejects.toMatchObject({ reason: 'last_admin' });
    expect(await rig.store.load(erasure, founder.id)).toEqual({ status: 'refused' });
  });

  it.each([true, false])('between any two steps is taken up, with an address whose being verified is %s', async (emailVerified) => {
    const people: { id: string; email: string }[] = [];
    for (let steps = 0, died = true; died; steps += 1) {
      const someoneElse = await someone(steps, emailVerified);
      people.push(someoneElse);
      died = await erase(doomed(steps), someoneElse.id).then(() => false, () => true);
    }
    // The reactor works beside whoever began: what it has done by then is no step any more.
    expect(people.length).toBeGreaterThan(8);
    const [untouched, ...others] = people;
    for (const one of others) await eventually(() => isNoMore(one), settledWithin);
    expect(await rig.store.load(erasure, String(untouched?.id))).toEqual({ status: 'none' });
    expect((await rig.send('GET', `/users/${String(untouched?.id)}`)).status).toBe(200);
    const takenAnew = (email: string) => async () => (await rig.send('POST', '/users', { body: { email, displayName: 'Heir', emailVerified: true } })).status === 201;
    await Promise.all(others.map(({ email }) => eventually(takenAnew(email), settledWithin)));
    expect((await rig.send('GET', '/operator/identity/parked-events')).body['count']).toBe(0);
  }, 180_000);
});
