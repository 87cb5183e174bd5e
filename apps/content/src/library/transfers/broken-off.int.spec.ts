import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoreScope } from '@scriptorium/event-sourcing';
import { branch, openRequest } from '../../versions/branches/index.js';
import type { LibraryEvent } from '../nodes/library.events.js';
import { beginTransfer, library } from '../nodes/index.js';
import { space } from '../spaces/index.js';
import { eventually, startRig, type Rig } from '../../test/rig-with-store.js';

/** Transfers whose requests died: what they had recorded until then is there, and nothing else. */
describe('a transfer that broke off', () => {
  let rig: Rig;
  let source: string;
  let target: string;
  let id: string;
  beforeAll(async () => void (rig = await startRig({}, { alone: true })), 60_000);
  afterAll(() => rig.stop());
  beforeEach(async () => {
    [source, target] = [await organization('Source'), await organization('Target')];
    id = await make(source);
  });

  const organization = async (title: string): Promise<string> =>
    String((await rig.send('POST', '/orgs', { body: { title } })).body['id']);
  const make = async (within: string, body: object = {}): Promise<string> =>
    String((await rig.send('POST', `/orgs/${within}/spaces`, { body })).body['id']);
  const inside = (organizationId: string): StoreScope =>
    rig.store.scope(
      {
        operation: 'spec',
        correlation: 'spec',
        organization: organizationId,
        actor: { kind: 'user', id: rig.owner.id },
      },
      {},
    );
  const record = (organizationId: string, ...events: LibraryEvent[]) =>
    inside(organizationId).handle(library, organizationId, () => events);
  const begun = (transfer: string) =>
    inside(source).handle(library, source, (state) =>
      beginTransfer(state, { transfer, node: id, to: target, parent: null }),
    );
  const entered = (transfer: string): LibraryEvent => ({
    type: 'TransferEntered',
    data: { transfer, from: source, nodes: [{ id, kind: 'space', parent: null, order: 'a0', deletedAt: null }] },
  });
  const libraries = async () => [await rig.store.load(library, source), await rig.store.load(library, target)] as const;
  /** All streams say that the transfer has ended, in the organization `of` alone. */
  const isAt = async (of: string, other: string): Promise<boolean> => {
    const [here, there] = [await rig.store.load(library, of), await rig.store.load(library, other)];
    const known = await rig.store.load(space, id);
    const isFollowed = known.status === 'active' && known.organization === of;
    return JSON.stringify(here.nodes).includes(id) && !JSON.stringify(there.nodes).includes(id) && isFollowed;
  };

  const organizationOf = async () => (await rig.send('GET', `/spaces/${id}`)).body['organization'];

  it('after it began goes on', async () => {
    await begun('after-begin');
    await eventually(() => isAt(target, source), 20_000);
    await eventually(async () => (await libraries())[1].arrivals.size === 1);
    await eventually(async () => (await organizationOf()) === target);
    const { body } = await rig.send('GET', '/operator/content/runs?kind=transfer');
    expect(body.items.length).toBeGreaterThan(0);
  });

  it.each(['entered', 'left'] as const)(
    'after the space had %s ends in the organization that has it',
    async (step) => {
      const transfer = `after-${step}`;
      const all: LibraryEvent[] = [entered(transfer)];
      await record(target, ...all);
      await begun(transfer);
      if (step === 'left') await record(source, { type: 'SpaceLeft', data: { space: id, to: target, transfer } });
      await eventually(() => isAt(target, source), 20_000);
      await eventually(async () => JSON.stringify((await libraries())[1].arrivals).includes('settled'));
      await eventually(async () => (await organizationOf()) === target);
    },
    30_000,
  );

  it('after the other organization had refused it leaves it where it is', async () => {
    await record(target, { type: 'TransferRefused', data: { transfer: 'refused', from: source } });
    await begun('refused');
    await eventually(async () => (await libraries())[0].departures.size === 0, 20_000);
    expect(await organizationOf()).toBe(source);
    await eventually(async () => (await rig.send('DELETE', `/spaces/${id}`)).status === 205);
  });

  it('when the organization was deleted at that moment has the space in one of the two, or purged', async () => {
    await record(target, entered('deleted'));
    await begun('deleted');
    expect((await rig.send('DELETE', `/orgs/${source}`)).status).toBe(205);
    await eventually(() => isAt(target, source), 20_000);
    await eventually(
      async () => (await rig.send('GET', '/operator/content/runs?open=true')).body['count'] === 0,
      20_000,
    );
    await eventually(async () => (await organizationOf()) === target);
    await eventually(async () => (await rig.send('GET', `/spaces/${id}/content`)).status === 200);
  }, 60_000);

  it('is not taken for a space that the library never got', async () => {
    expect((await rig.send('POST', `/spaces/${id}/transfer`, { body: { organization: target } })).status).toBe(200);
    const timers = rig.store.database.collection<{ _id: string }>('op_timers');
    const timer = { _id: `drop_unadded:${id}` };
    await eventually(async () => (await timers.updateOne(timer, { $set: { due: 0 } })).matchedCount === 1);
    await eventually(async () => (await timers.countDocuments(timer)) === 0);
    const from = { revision: 'r', tree: 't' };
    // Recorded for the organization that it has left.
    await inside(source).handle(branch, `late-${id}`, (state) =>
      openRequest(state, { space: id, pool: id, from, first: undefined }),
    );
    const other = await make(source);
    await inside(source).handle(branch, `late-${other}`, (state) =>
      openRequest(state, { space: 'purged', pool: 'purged', from, first: undefined }),
    );
    await eventually(async () => (await rig.store.load(branch, `late-${other}`)).status === 'absent', 20_000);
    expect((await rig.store.load(branch, `late-${id}`)).status).toBe('open');
    expect((await rig.send('GET', `/spaces/${id}`)).status).toBe(200);
  }, 60_000);

  it('of a deleted space in a collection has it purged in the other organization when its time has come', async () => {
    const made = await rig.send('POST', `/orgs/${source}/collections`);
    const parent = String(made.body['id']);
    const deleted = await make(source, { parent });
    await rig.send('DELETE', `/spaces/${deleted}`);
    const timers = rig.store.database.collection<{ _id: string; data?: unknown }>('op_timers');
    const timer = { _id: `purge_deleted:${deleted}` };
    await eventually(async () => (await timers.countDocuments(timer)) === 1);
    const body = { organization: target };
    expect((await rig.send('POST', `/collections/${parent}/transfer`, { body })).status).toBe(200);
    await eventually(async () => JSON.stringify(await timers.findOne(timer)).includes(target));
    await timers.updateOne(timer, { $set: { due: 0 } });
    await eventually(async () => (await rig.store.load(space, deleted)).status === 'absent', 20_000);
    await eventually(async () => !JSON.stringify((await libraries())[1].nodes).includes(deleted), 20_000);
    for (const service of ['content', 'identity']) {
      const { body: known } = await rig.send('GET', `/operator/${service}/consumers?limit=1000`);
      const names = known.items.filter(({ kind }) => kind === 'projection').map(({ name }) => String(name));
      for (const name of names.filter((each) => service === 'content' || each.startsWith('audit_event_'))) {
        const rebuilt = await rig.send('POST', `/operator/${service}/projections/${name}/rebuild`);
        expect([name, rebuilt.body['equal']]).toEqual([name, true]);
      }
    }
  }, 60_000);

  it('or not, of more than a hundred spaces changes hands at once; their streams follow', async () => {
    const parent = String((await rig.send('POST', `/orgs/${source}/collections`)).body['id']);
    const all: string[] = [];
    for (let i = 0; i < 8; i += 1)
      all.push(...(await Promise.all(Array.from({ length: 13 }, () => make(source, { parent, empty: true })))));
    const body = { organization: target };
    expect((await rig.send('POST', `/collections/${parent}/transfer`, { body })).status).toBe(200);
    const listed = await rig.send('GET', `/orgs/${target}/spaces?limit=0`);
    expect([listed.body['count'], (await rig.send('GET', `/orgs/${source}/spaces?limit=0`)).body['count']]).toEqual([
      all.length,
      1,
    ]);
    await eventually(async () => JSON.stringify((await libraries())[1].arrivals).includes('settled'), 20_000);
    const owners = await Promise.all(all.map((one) => rig.store.load(space, one)));
    expect(new Set(owners.map((one) => one.status === 'active' && one.organization))).toEqual(new Set([target]));
  }, 120_000);
});
