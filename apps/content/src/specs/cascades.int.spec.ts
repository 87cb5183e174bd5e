import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, get, startRig, type Person, type Rig } from '../test/rig-with-store.js';
import { create } from '../library/spaces/space.js';
import { space } from '../library/spaces/index.js';
import { openBranch, writeBranch } from '@scriptorium/contracts';
import { branch, openRequest } from '../versions/branches/index.js';
import { library } from '../library/nodes/index.js';
import { connectAsker } from '../test/ask.js';

/** What follows in content from what happens to organizations, members, teams and spaces. */
describe('content follows', () => {
  let rig: Rig;
  let org: string;
  let creator: Person;
  beforeAll(async () => {
    rig = await startRig({}, { alone: true });
    org = `/orgs/${rig.organization}`;
    creator = await rig.member('Cleo Creator', 'create');
  }, 60_000);
  afterAll(() => rig.stop());

  const make = async (title: string, within = org): Promise<string> =>
    String((await rig.send('POST', `${within}/spaces`, { body: { title } })).body['id']);
  const grant = (id: string, body: object) => rig.send('POST', `/spaces/${id}/permissions`, { body });
  const state = async (id: string) => {
    const known = await rig.store.load(space, id);
    return known.status === 'absent' ? undefined : known;
  };
  /** Fires the timer that purges a space, which would take seven days. */
  const purgeNow = (id: string) =>
    rig.store.database
      .collection<{ _id: string }>('op_timers')
      .updateOne({ _id: `purge_deleted:${id}` }, { $set: { due: 0 } });
  const isPurged = async (organization: string, id: string) =>
    (await state(id)) === undefined && !JSON.stringify(await rig.store.load(library, organization)).includes(id);
  /** Rebuilds the read models of content, and the audit events, which identity keeps of all services. */
  const rebuildAll = async () => {
    for (const service of ['content', 'identity']) {
      const { body } = await rig.send('GET', `/operator/${service}/consumers?limit=1000`);
      const own = body.items.filter(({ kind }) => kind === 'projection').map(({ name }) => String(name));
      for (const name of service === 'content' ? own : own.filter((each) => each.startsWith('audit_event_'))) {
        const rebuilt = await rig.send('POST', `/operator/${service}/projections/${name}/rebuild`);
        expect([name, rebuilt.body['equal']]).toEqual([name, true]);
      }
    }
  };

  it('the removal of a member: their grants end at once, are removed, and do not come back', async () => {
    const id = await make('Left');
    const leaver = await rig.member('Lea Ver', null);
    await grant(id, { role: 'edit', users: [leaver.id] });
    expect((await rig.send('GET', `/spaces/${id}`, { token: leaver.token })).status).toBe(200);
    await rig.send('DELETE', `${org}/members/${leaver.id}`);
    // Another client than the one that removed them: content hears of it a moment later.
    await eventually(async () => (await rig.send('GET', `/spaces/${id}`, { token: leaver.token })).status === 404);
    const users = (await rig.send('GET', `/spaces/${id}/permissions/users`)).body.items;
    expect(users.map((item) => get(item, 'user.id'))).toEqual([rig.owner.id]);
    await eventually(async () => (await state(id))?.grants.users.size === 1);
    await rig.send('POST', `${org}/invites`, { body: { emails: [leaver.email], role: null } });
    expect((await rig.send('GET', `/spaces/${id}`, { token: leaver.token })).status).toBe(404);
  });

  it('the erasure of a person: their grants are removed', async () => {
    const id = await make('Erased');
    const gone = await rig.member('Gone Girl', null);
    await grant(id, { role: 'edit', users: [gone.id] });
    expect((await rig.send('DELETE', `/users/${gone.id}`)).status).toBe(205);
    await eventually(async () => (await state(id))?.grants.users.size === 1);
    const users = await rig.send('GET', `/spaces/${id}/permissions/users`);
    expect(users.body['count']).toBe(1);
  });

  it('the deletion of a team: its grants are removed', async () => {
    const id = await make('Teams');
    const made = await rig.send('PUT', `${org}/teams`, { body: { title: 'Short lived', members: [creator.id] } });
    const team = String(made.body['id']);
    await grant(id, { role: 'read', teams: [team] });
    await rig.send('DELETE', `${org}/teams/${team}`);
    expect((await rig.send('GET', `/spaces/${id}/permissions/teams`)).body['count']).toBe(0);
    await eventually(async () => (await state(id))?.grants.teams.size === 0);
  });

  it('the deletion of a space: seven days later it is removed for good', async () => {
    const id = await make('Purged');
    await rig.send('POST', `${org}/link-invites`, { body: { level: 'read', space: id } });
    await rig.send('DELETE', `/spaces/${id}`);
    await eventually(async () => {
      const { body } = await rig.send('GET', '/operator/content/timers?limit=1000');
      const timer = body.items.find((item) => item['id'] === `purge_deleted:${id}`);
      const days = (Date.parse(String(timer?.['at'])) - Date.now()) / 86_400_000;
      return days > 6.99 && days <= 7;
    });
    await purgeNow(id);
    await eventually(() => isPurged(rig.organization, id), 20_000);
    await eventually(async () => (await rig.send('GET', `/spaces/${id}`)).status === 404);
    expect((await rig.send('POST', `/spaces/${id}/restore`)).status).toBe(404);
    expect((await rig.send('DELETE', `/spaces/${id}`)).status).toBe(204);
    await eventually(async () => {
      const { body } = await rig.send('GET', `${org}/audit-events?target=${id}`);
      return body.items.map(({ action }) => action).join() === 'space_purged';
    });
    await eventually(async () => (await rig.send('GET', `${org}/link-invites`)).body['count'] === 0);
    await rebuildAll();
  }, 60_000);

  it('the purge of a space: the content of its change requests goes too, also of one that is opened at that moment', async () => {
    const ask = await connectAsker(rig);
    const id = await make('With change requests');
    const made = await Promise.all([0, 1, 2].map((i) => ask(openBranch, { space: id, branch: `purged${i}` })));
    expect(made).toMatchObject([{ initial: expect.anything() }, {}, {}]);
    const changes = [{ operation: 'insert_page' as const, title: 'Confidential', document: { markdown: 'Words.' } }];
    await ask(writeBranch, { space: id, branch: 'purged1', write: { changes } });
    const objects = rig.store.database.collection<{ _id: string }>('op_objects');
    const ofPool = { _id: { $gte: `${id}/`, $lt: `${id}0` } };
    expect(await objects.countDocuments(ofPool)).toBeGreaterThan(0);
    await rig.send('DELETE', `/spaces/${id}`);
    const timers = rig.store.database.collection<{ _id: string }>('op_timers');
    await eventually(async () => (await timers.countDocuments({ _id: `purge_deleted:${id}` })) === 1);
    await purgeNow(id);
    await eventually(() => isPurged(rig.organization, id), 20_000);
    expect(await objects.countDocuments(ofPool)).toBe(0);
    for (const one of ['purged0', 'purged1', 'purged2'])
      expect([one, (await rig.store.load(branch, one)).status]).toEqual([one, 'absent']);
    const known = rig.store.database.collection('request_branch_v2');
    await eventually(async () => (await known.countDocuments({ space: id })) === 0);
    const from = { revision: 'r', tree: 't' };
    const context = { operation: 'spec', correlation: 'spec', organization: rig.organization };
    await rig.store
      .scope({ ...context, actor: { kind: 'user', id: creator.id } }, {})
      .handle(branch, 'late', (state) => openRequest(state, { space: id, pool: id, from, first: undefined }));
    await eventually(async () => (await rig.store.load(branch, 'late')).status === 'absent', 20_000);
    await ask.close();
  }, 60_000);

  it('the restoration of a space: the purge of its deletion leaves it alone', async () => {
    const id = await make('Restored');
    await rig.send('DELETE', `/spaces/${id}`);
    const timers = rig.store.database.collection<{ _id: string }>('op_timers');
    await eventually(async () => (await timers.countDocuments({ _id: `purge_deleted:${id}` })) === 1);
    await rig.send('POST', `/spaces/${id}/restore`);
    await purgeNow(id);
    await eventually(async () => (await timers.countDocuments({ _id: `purge_deleted:${id}` })) === 0);
    await eventually(async () => {
      const { body } = await rig.send('GET', '/operator/content/runs?open=true');
      return body['count'] === 0;
    });
    expect((await rig.send('GET', `/spaces/${id}`)).body['title']).toBe('Restored');
  });

  it('the creation of a space that broke off before the library had it: it is removed', async () => {
    const { organization } = rig;
    const [id, context] = ['brokenOff', { operation: 'spec', correlation: 'spec', organization }];
    const settings = { organization, title: 'Broken off', emoji: null, language: null, editMode: 'locked' } as const;
    const by = { user: creator.id, membership: 'm' };
    await rig.store
      .scope({ ...context, actor: { kind: 'user', id: creator.id } }, {})
      .handle(space, id, (known) => create(known, { ...settings, creator: by }));
    expect((await rig.send('GET', `/spaces/${id}`)).status).toBe(404);
    const timers = rig.store.database.collection<{ _id: string }>('op_timers');
    const timer = { _id: `drop_unadded:${id}` };
    await eventually(async () => (await timers.updateOne(timer, { $set: { due: 0 } })).matchedCount === 1);
    await eventually(() => isPurged(organization, id));
  });

  it('the deletion of an organization: everything goes at once, deleted spaces too', async () => {
    const other = String((await rig.send('POST', '/orgs', { body: { title: 'Doomed' } })).body['id']);
    const ids = [await make('One', `/orgs/${other}`), await make('Two', `/orgs/${other}`)];
    await rig.send('DELETE', `/spaces/${ids[1]}`);
    expect((await rig.send('DELETE', `/orgs/${other}`)).status).toBe(205);
    expect((await rig.send('GET', `/spaces/${ids[0]}`)).status).toBe(404);
    expect((await rig.send('GET', `/orgs/${other}/spaces`)).status).toBe(404);
    for (const id of ids) await eventually(() => isPurged(other, id), 20_000);
    expect((await rig.store.load(library, other)).closed).toBe(true);
    await rebuildAll();
  }, 60_000);
});
