import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sized } from '@scriptorium/toolchain/proof';
import { createStore, systemClock, type Store, type StoreScope } from '@scriptorium/event-sourcing';
import { withReplaced } from '@scriptorium/event-sourcing/testing';
import { parseKeyring, projectionsOf, type Scope } from '@scriptorium/platform';
import { identity } from '../service.js';
import { MailFiles } from '../mail/mail-files.store.js';
import { pendingInvites } from '../organizations/invitations/pending-invite.projection.js';
import { members } from '../organization-read-models/member.projection.js';
import { hostnames } from '../organizations/settings/hostnames.reservation.js';
import { findPassword } from '../authentication/passwords/passwords.operational.js';
import { eventually, startRig, type Person, type Rig } from '../test/own-rig.js';
import { tokens } from '../accounts/tokens/token.projection.js';
import { addresses } from '../accounts/users/addresses.reservation.js';
import { userNames } from '../accounts/users/user-names.reservation.js';
import { user as person } from '../accounts/users/user.js';
import { erasePerson } from './erase-person.process.js';
import { erasure } from '../accounts/users/erasure.js';
import { forgetErased } from './forget-erased.process.js';
import { specCommand, specScope } from '../test/scope.js';

const password = 'velvet-otter-lamp-91';
/** An open claim is settled after 30 s. With this clock the processes stopped longer ago. */
const clock = { ...systemClock, now: () => Date.now() - 31_000 };
const settledWithin = 60_000;

describe('an erasure whose process stops', () => {
  let rig: Rig;
  let live: Store;
  let inviter: Person;
  let link: { organization: string; id: string };
  beforeAll(async () => {
    rig = await startRig();
    const { NAMESPACE: namespace, EVENTSTORE_URL: eventstoreUrl, MONGODB_URL: mongoUrl } = rig.config;
    const reservations = {
      key: parseKeyring(rig.config.SECRET_KEYS).reservation,
      kinds: [addresses, hostnames, userNames],
    };
    live = createStore({
      service: 'identity',
      namespace,
      eventstoreUrl,
      mongoUrl,
      projections: projectionsOf(identity),
      reservations,
      clock,
    });
    await live.start();
    inviter = await rig.person('Inviting Admin');
    const organization = String(
      (await rig.send('POST', '/orgs', { token: inviter.token, body: { title: 'Inviting' } })).body['id'],
    );
    const made = await rig.send('POST', `/orgs/${organization}/link-invites`, {
      token: inviter.token,
      body: { role: 'read' },
    });
    link = { organization, id: String(made.body['id']) };
  }, 60_000);
  afterAll(async () => {
    await live.stop();
    await rig.stop();
  });

  const scopeOf = (store: StoreScope, database = live.database): Scope =>
    specScope(store, { database }, rig.config.SECRET_KEYS);

  /** A scope and stored answers that fail after `steps` calls with an effect, like a process that stops. */
  const stoppingParts = (user: string, steps: number) => {
    let left = steps;
    const step =
      <A extends unknown[], R>(work: (...args: A) => R) =>
      (...args: A): R => {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return work(...args);
      };
    const database = new Proxy(live.database, {
      get: (db, name) =>
        name === 'collection' ? step((of: string) => db.collection(of)) : (Reflect.get(db, name) as unknown),
    });
    const withStepCount = (scope: StoreScope): StoreScope =>
      withReplaced(scope, {
        in: (organization) => withStepCount(scope.in(organization)),
        keyed: (idem) => withStepCount(scope.keyed(idem)),
        step: (name) => withStepCount(scope.step(name)),
        handle: step((...command: Parameters<StoreScope['handle']>) =>
          scope.handle(...command),
        ) as StoreScope['handle'],
        erase: step((...of: Parameters<StoreScope['erase']>) => scope.erase(...of)),
        schedule: step(() => Promise.resolve()),
      });
    const answers = { forget: step(() => Promise.resolve()) };
    return { scope: scopeOf(withStepCount(live.scope(specCommand(user))), database), answers };
  };

  /**
   * Creates a person with a membership, a team, a token and a password. If the address is not verified, an invitation
   * to it is pending.
   */
  const someone = async (number: number, emailVerified: boolean): Promise<{ id: string; email: string }> => {
    const email = `doomed.${number}.${String(emailVerified)}@example.org`;
    const made = await rig.send('POST', '/users', {
      body: { email, emailVerified, displayName: `Doomed ${number}`, password },
    });
    const id = String(made.body['id']);
    const token = String((await rig.send('POST', `/users/${id}/tokens`, { body: { label: 'doomed' } })).body['token']);
    expect((await rig.send('POST', `/orgs/${link.organization}/invites/${link.id}`, { token })).status).toBe(200);
    await rig.send('PUT', `/orgs/${link.organization}/teams`, {
      token: inviter.token,
      body: { title: `Doomed ${number}`, members: [id] },
    });
    await rig.send('POST', `/orgs/${rig.organization}/invites`, { body: { emails: [email], role: 'read' } });
    return { id, email };
  };

  const erase = async ({ scope, answers }: ReturnType<typeof stoppingParts>, user: string): Promise<void> => {
    const position = await erasePerson(scope, user);
    const files = new MailFiles(scope, `${rig.config.DATA_DIR}/outbox`);
    await forgetErased({ scope, files, answers }, { user, position });
  };

  const isErased = async ({ id, email }: { id: string; email: string }): Promise<boolean> => {
    const { store } = rig;
    if ((await store.load(erasure, id)).status !== 'erased' || (await store.load(person, id)).status !== 'absent')
      return false;
    const left = await Promise.all([
      store.collection(members).count({ user: id }),
      store.collection(tokens).count({ user: id }),
      store.collection(pendingInvites).count({ email }),
    ]);
    return (
      left.every((count) => count === 0) &&
      (await findPassword(store, id)) === null &&
      (await rig.send('GET', `/users/${id}`)).status === 404
    );
  };

  it('is refused for the last admin of an organization that the read model does not show yet', async () => {
    const founder = await rig.person('Shown Late');
    const beside = await rig.person('Shown Beside');
    const made = await rig.send('POST', '/orgs', { token: founder.token, body: { title: 'Shown' } });
    const path = `/orgs/${String(made.body['id'])}`;
    await rig.send('POST', `${path}/invites`, { token: founder.token, body: { emails: [beside.email], role: 'read' } });
    let isShown = false;
    const nothing = { find: () => ({ toArray: () => Promise.resolve([]) }) };
    const late = (scope: StoreScope): StoreScope =>
      withReplaced(scope, {
        in: (organization) => late(scope.in(organization)),
        keyed: (idem) => late(scope.keyed(idem)),
        waitUntilVisible: (...wanted) => {
          isShown = true;
          return scope.waitUntilVisible(...wanted);
        },
        read: ((of: Parameters<StoreScope['read']>[0]) =>
          Object.is(of, members) && !isShown ? nothing : scope.read(of)) as StoreScope['read'],
      });
    const scope = scopeOf(late(live.scope(specCommand(founder.id))));
    await expect(erasePerson(scope, founder.id)).rejects.toMatchObject({ reason: 'last_admin' });
    expect(await rig.store.load(erasure, founder.id)).toEqual({ status: 'refused' });
  });

  // The one whose address is not verified has all that the other one has, and invitations.
  it.each(sized([false], [true, false]))(
    'after any of its steps is completed, for a person whose address is verified: %s',
    async (emailVerified) => {
      const people: { id: string; email: string }[] = [];
      for (let steps = 0, died = true; died; steps += 1) {
        const someoneElse = await someone(steps, emailVerified);
        people.push(someoneElse);
        died = await erase(stoppingParts(someoneElse.id, steps), someoneElse.id).then(
          () => false,
          () => true,
        );
      }
      // The reactor continues at the same time, so the number of steps varies.
      expect(people.length).toBeGreaterThan(8);
      const [untouched, ...others] = people;
      for (const one of others) await eventually(() => isErased(one), settledWithin);
      expect(await rig.store.load(erasure, String(untouched?.id))).toEqual({ status: 'none' });
      expect((await rig.send('GET', `/users/${String(untouched?.id)}`)).status).toBe(200);
      const isAddressFree = (email: string) => async () =>
        (await rig.send('POST', '/users', { body: { email, displayName: 'Heir', emailVerified: true } })).status ===
        201;
      await Promise.all(others.map(({ email }) => eventually(isAddressFree(email), settledWithin)));
      expect((await rig.send('GET', '/operator/identity/parked-events')).body['count']).toBe(0);
    },
    180_000,
  );
});
